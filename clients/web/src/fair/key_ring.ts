/** The house's public keys with their days of validity, as they are written. Source: FAIRNESS_SPEC section 9, docs/fairness.md. */

import { fromHex, join, label, u32, type Bytes } from "./encoding";
import { Fields } from "./json_form";
import { keyId } from "./receipts";

/** Valid from the first to the last UTC day, both included, as days since 1970-01-01. Bytes as hex. */
export interface PublicKey {
  readonly key_id: string;
  readonly public_key: string;
  readonly firstDay: number;
  readonly lastDay: number;
  /** The key's own signature over its days of validity. */
  readonly signature: string;
}

export type KeyRing = readonly PublicKey[];

export const MAX_KEYS = 1000;
const MS_PER_DAY = 86_400_000;

/** What a key signs about itself. */
export function keyStatement(key: PublicKey): Bytes {
  return join(label("key"), fromHex(key.public_key), u32(key.firstDay), u32(key.lastDay));
}

export function isValidAt(key: PublicKey, at_ms: number): boolean {
  const day = Math.floor(at_ms / MS_PER_DAY);
  return key.firstDay <= day && day <= key.lastDay;
}

/** Throws Malformed. */
export function readKey(fields: Fields): PublicKey {
  const key = {
    key_id: fields.hex("key_id", 8),
    public_key: fields.hex("public_key", 32),
    firstDay: readDay(fields, "first_day"),
    lastDay: readDay(fields, "last_day"),
    signature: fields.hex("signature", 64),
  };
  if (key.key_id !== keyId(key.public_key)) {
    throw fields.wrong("key_id", "is not the first 8 bytes of SHA-256(public key)");
  }
  if (key.lastDay < key.firstDay) throw fields.wrong("last_day", "is before the first day");
  fields.nothingElse();
  return key;
}

/** Reads a published list, `{"keys": [...]}`, without checking any signature. Throws Malformed. */
export function parseKeyList(value: unknown): KeyRing {
  const fields = new Fields(value, "key list");
  const ring = fields.objects("keys", MAX_KEYS, readKey);
  fields.nothingElse();
  return ring;
}

export function dayName(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

function readDay(fields: Fields, name: string): number {
  const text = fields.text(name);
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // A date that rolls over, such as 30 February, is another day than the one written.
  if (Number.isNaN(ms) || ms < 0 || dayName(ms / MS_PER_DAY) !== text) {
    throw fields.wrong(name, `is '${text.slice(0, 40)}': write YYYY-MM-DD, 1970 or later`);
  }
  return ms / MS_PER_DAY;
}
