/**
 * Bytes as the protocol writes them: big-endian integers, length prefixes, labels, and the two keyed primitives.
 * Source: FAIRNESS_SPEC section 1. SHA-256: FIPS 180-4. HMAC: RFC 2104.
 */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";

export type Bytes = Uint8Array;
export { bytesToHex as toHex, concatBytes as join, hexToBytes as fromHex, sha256 };

const utf8 = new TextEncoder();

export function u8(value: number): Bytes {
  return integer(value, 1);
}

export function u16(value: number): Bytes {
  return integer(value, 2);
}

export function u32(value: number): Bytes {
  return integer(value, 4);
}

/** Up to 2^53 - 1: what JSON carries exactly. */
export function u64(value: number): Bytes {
  return integer(value, 8);
}

export function i64(value: number): Bytes {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer that JSON carries exactly`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes;
}

function integer(value: number, width: 1 | 2 | 4 | 8): Bytes {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 2 ** (8 * width)) {
    throw new RangeError(`${value} does not fit ${width} bytes`);
  }
  const bytes = new Uint8Array(width);
  let rest = value;
  for (let at = width - 1; at >= 0; at -= 1) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

/** `u32(len) || b`. */
export function lengthPrefixed(bytes: Bytes): Bytes {
  return concatBytes(u32(bytes.length), bytes);
}

export function ascii(text: string): Bytes {
  return utf8.encode(text);
}

/** `L(name)`: the label that every hash, MAC and signature starts with, so that no value serves two purposes. */
export function label(name: string): Bytes {
  const text = ascii(`rummy-fair/1/${name}`);
  return concatBytes(u8(text.length), text);
}

/** `H(name, m)`. */
export function hash(name: string, ...message: Bytes[]): Bytes {
  return sha256(concatBytes(label(name), ...message));
}

/** `MAC(k, m)`. */
export function mac(key: Bytes, ...message: Bytes[]): Bytes {
  return hmac(sha256, key, concatBytes(...message));
}

export function sameBytes(left: Bytes, right: Bytes): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
