/** What a list of the desk can be narrowed by, and how what was typed becomes what the house is asked. */

export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "tokens" | "time" | "day" | "choice";
  /** Of a choice: value and words; nothing chosen is "". */
  readonly choices?: readonly (readonly [string, string])[];
}

/** A moment as an input of the browser has it, in the person's own zone; null for what is none. */
export function momentOf(typed: string | undefined): number | null {
  if (typed === undefined || typed === "") return null;
  const ms = new Date(typed).getTime();
  return Number.isNaN(ms) ? null : ms;
}

/** Units from tokens as typed; null for what is no amount. */
export function unitsOf(typed: string | undefined): number | null {
  if (typed === undefined || typed.trim() === "") return null;
  const units = Math.round(Number(typed) * 100);
  return Number.isSafeInteger(units) ? units : null;
}

/** Asked of the house: what has no value is not asked. */
export function asked(parameters: Readonly<Record<string, string | number | null | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}
