/** Reading the protocol's JSON strictly: lower-case hex, integers below 2^53, no field missing, none unknown. */

/** Something that breaks the protocol's form; the message says where, and what is allowed. */
export class Malformed extends Error {}

/** Integers in files stay below this, either sign, so that every JSON reader keeps them exact. */
export const JSON_INTEGER_LIMIT = 2 ** 53;
export const MAX_FILE_CHARACTERS = 8 * 1024 * 1024;

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],:]/g;
const LOWER_HEX = /^(?:[0-9a-f]{2})*$/;

/**
 * Parse JSON, refusing what readers disagree about: repeated names, floats, integers beyond 2^53.
 * Throws Malformed with the reason.
 */
export function parseJson(text: string): unknown {
  if (text.length > MAX_FILE_CHARACTERS) throw new Malformed("this is too large to be a file of ours");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Malformed(`this is not JSON: ${error instanceof Error ? error.message : "unreadable"}`);
  }
  checkTokens(text);
  return value;
}

/** Looks at the text of valid JSON for what its parser passes over in silence. */
function checkTokens(text: string): void {
  const names: (Set<string> | null)[] = [];
  let previous = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{") names.push(new Set());
    else if (token === "[") names.push(null);
    else if (token === "}" || token === "]") names.pop();
    else if (token === ":") noteName(names.at(-1) ?? null, previous);
    else if (token !== "," && !token.startsWith('"')) checkNumber(token);
    previous = token;
  }
}

function noteName(names: Set<string> | null, token: string): void {
  const name = String(JSON.parse(token));
  if (names?.has(name)) throw new Malformed(`the name ${quoted(name)} stands twice in one object`);
  names?.add(name);
}

function checkNumber(token: string): void {
  if (!/^-?\d+$/.test(token)) {
    throw new Malformed(`${token.slice(0, 40)} is not an integer: nothing in these files is a float`);
  }
  if (!Number.isSafeInteger(Number(token))) {
    throw new Malformed(`${token.slice(0, 40)} is out of range: integers stay below 2^53`);
  }
}

/** One JSON object being read; every problem is a Malformed that names the path. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly #read = new Set<string>();

  constructor(value: unknown, where: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Malformed(`${where} is not an object`);
    }
    this.#values = value as Record<string, unknown>;
    this.#where = where;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  /** Whether the field is there and null. */
  isNull(name: string): boolean {
    return this.#value(name) === null;
  }

  integer(name: string, low: number, high: number): number {
    return readInteger(this.#value(name), this.#path(name), low, high);
  }

  /** A u64 as far as JSON carries it: 0 .. 2^53 - 1. */
  u64(name: string): number {
    return this.integer(name, 0, JSON_INTEGER_LIMIT - 1);
  }

  text(name: string): string {
    const value = this.#value(name);
    if (typeof value !== "string") throw new Malformed(`${this.#path(name)} is not a string`);
    return value;
  }

  oneOf<Name extends string>(name: string, allowed: readonly Name[]): Name {
    const value = this.text(name);
    const found = allowed.find((one) => one === value);
    if (found === undefined) throw this.wrong(name, `is ${quoted(value)}: allowed are ${allowed.join(", ")}`);
    return found;
  }

  /** 0 or 1. */
  flag(name: string): boolean {
    return this.integer(name, 0, 1) === 1;
  }

  /** Lower-case hex of exactly `length` bytes, or of any number when none is given. */
  hex(name: string, length?: number): string {
    return readHex(this.#value(name), this.#path(name), length);
  }

  hash(name: string): string {
    return this.hex(name, 32);
  }

  hashes(name: string, limit: number): string[] {
    return this.each(name, limit, (item, path) => readHex(item, path, 32));
  }

  integers(name: string, limit: number, low: number, high: number): number[] {
    return readIntegers(this.#value(name), this.#path(name), limit, low, high);
  }

  object(name: string): Fields {
    return new Fields(this.#value(name), this.#path(name));
  }

  objects<T>(name: string, limit: number, read: (fields: Fields) => T): T[] {
    return this.each(name, limit, (item, path) => read(new Fields(item, path)));
  }

  /** A list of at most `limit` items, each read with its own path. */
  each<T>(name: string, limit: number, read: (item: unknown, path: string) => T): T[] {
    return readList(this.#value(name), this.#path(name), limit, read);
  }

  /** All names of a map whose names are data. */
  names(): string[] {
    return Object.keys(this.#values);
  }

  /** Throws Malformed when the object has a field that nobody asked for. */
  nothingElse(): void {
    const unknown = this.names().find((name) => !this.#read.has(name));
    if (unknown !== undefined) throw new Malformed(`${this.#where} has an unknown field ${quoted(unknown)}`);
  }

  wrong(name: string, words: string): Malformed {
    return new Malformed(`${this.#path(name)} ${words}`);
  }

  #value(name: string): unknown {
    if (!this.has(name)) throw new Malformed(`${this.#path(name)} is missing`);
    this.#read.add(name);
    return this.#values[name];
  }

  #path(name: string): string {
    return `${this.#where}.${name}`;
  }
}

function readList<T>(value: unknown, path: string, limit: number, read: (item: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) throw new Malformed(`${path} is not a list`);
  if (value.length > limit) {
    throw new Malformed(`${path} has ${value.length} items: at most ${limit} are allowed`);
  }
  return value.map((item, index) => read(item, `${path}[${index}]`));
}

/** A list of at most `limit` integers, each in low .. high. */
export function readIntegers(value: unknown, path: string, limit: number, low: number, high: number): number[] {
  return readList(value, path, limit, (item, itemPath) => readInteger(item, itemPath, low, high));
}

export function readHex(value: unknown, path: string, length?: number): string {
  if (typeof value !== "string" || !LOWER_HEX.test(value)) throw new Malformed(`${path} is not lower-case hex`);
  if (length !== undefined && value.length !== 2 * length) {
    throw new Malformed(`${path} has ${value.length / 2} bytes: ${length} are needed`);
  }
  return value;
}

export function readInteger(value: unknown, path: string, low: number, high: number): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new Malformed(`${path} is not an integer`);
  if (value < low || value > high) throw new Malformed(`${path} is ${value}: allowed are ${low} to ${high}`);
  return value;
}

function quoted(text: string): string {
  return `'${text.slice(0, 40)}'`;
}
