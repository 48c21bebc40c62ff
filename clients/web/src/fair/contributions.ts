/**
 * What each seat put into the shuffle: a nonce and a text, first as a hash, then opened.
 * Source: FAIRNESS_SPEC section 5.
 */

import { fromHex, hash, join, lengthPrefixed, u8, type Bytes } from "./encoding";

/** Field names as in the hand file; bytes as hex. */
export type Contribution =
  | { readonly seat: number; readonly status: "none" }
  | { readonly seat: number; readonly status: "withheld"; readonly hash: string }
  | {
      readonly seat: number;
      readonly status: "given";
      readonly hash: string;
      readonly nonce: string;
      readonly text_hex: string;
    };

export const MAX_TEXT_BYTES = 256;

const STATUS_CODE = { none: 0, given: 1, withheld: 2 } as const;
const ZERO_32 = new Uint8Array(32);
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** `K`: what a seat sends first. */
export function contributionHash(th: Bytes, seat: number, nonce: Bytes, text: Bytes): Bytes {
  return hash("contribution", th, u8(seat), nonce, lengthPrefixed(text));
}

/** The signed list of all `K`, closed before anybody opens one. */
export function encodeHashes(contributions: readonly Contribution[]): Bytes {
  return join(
    u8(contributions.length),
    ...contributions.flatMap((one) =>
      one.status === "none" ? [u8(one.seat), u8(0), ZERO_32] : [u8(one.seat), u8(1), fromHex(one.hash)],
    ),
  );
}

export function encodeRoster(contributions: readonly Contribution[]): Bytes {
  return join(u8(contributions.length), ...contributions.map(encodeRosterEntry));
}

function encodeRosterEntry(one: Contribution): Bytes {
  const given = one.status === "given";
  return join(
    u8(one.seat),
    u8(STATUS_CODE[one.status]),
    one.status === "none" ? ZERO_32 : fromHex(one.hash),
    given ? fromHex(one.nonce) : ZERO_32,
    lengthPrefixed(given ? fromHex(one.text_hex) : new Uint8Array(0)),
  );
}

/** `rh`. */
export function rosterHash(roster: Bytes): Bytes {
  return hash("roster", roster);
}

/** The text that a player typed; null when the bytes are no text that a server may take. */
export function readText(bytes: Bytes): string | null {
  if (bytes.length > MAX_TEXT_BYTES) return null;
  try {
    const text = strictUtf8.decode(bytes);
    return /[\u0000-\u001f\u007f-\u009f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}
