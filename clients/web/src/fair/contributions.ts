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
export const MAX_PLAYERS = 8;

/** Of an entry of the roster: seat, status, hash, nonce, and the length of the text. */
const FIXED_ENTRY_BYTES = 1 + 1 + 32 + 32 + 4;

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

/** Whether bytes have the form of a roster: what event 0 of a hand must carry, whatever it says. */
export function isRosterForm(bytes: Bytes): boolean {
  const count = bytes[0] ?? Infinity;
  if (count > MAX_PLAYERS) return false;
  let at = 1;
  let lastSeat = -1;
  for (let entry = 0; entry < count; entry += 1) {
    const fixed = bytes.subarray(at, at + FIXED_ENTRY_BYTES);
    if (fixed.length < FIXED_ENTRY_BYTES) return false;
    const [seat, status] = [fixed[0] as number, fixed[1] as number];
    const textLength = new DataView(fixed.buffer, fixed.byteOffset).getUint32(FIXED_ENTRY_BYTES - 4);
    const hashIsEmpty = fixed.subarray(2, 34).every((byte) => byte === 0);
    const restIsEmpty = fixed.subarray(34).every((byte) => byte === 0);
    if (seat <= lastSeat || status > STATUS_CODE.withheld || textLength > MAX_TEXT_BYTES) return false;
    if (status !== STATUS_CODE.given && !restIsEmpty) return false;
    if (status === STATUS_CODE.none && !hashIsEmpty) return false;
    lastSeat = seat;
    at += FIXED_ENTRY_BYTES + textLength;
  }
  return at === bytes.length;
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
