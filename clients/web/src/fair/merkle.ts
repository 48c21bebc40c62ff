/** The log's tree: roots and proofs. Source: RFC 9162 sections 2.1.1, 2.1.3.2 and 2.1.4.2; FAIRNESS_SPEC section 9. */

import { join, sameBytes, sha256, u8, type Bytes } from "./encoding";

/** A proof longer than this belongs to no tree that fits 2^53 leaves. */
export const MAX_PROOF_LENGTH = 64;

export function leafHash(data: Bytes): Bytes {
  return sha256(join(u8(0), data));
}

function nodeHash(left: Bytes, right: Bytes): Bytes {
  return sha256(join(u8(1), left, right));
}

/** The root of a tree over these leaves, as an auditor who downloads them computes it. */
export function treeRoot(leaves: readonly Bytes[]): Bytes {
  if (leaves.length === 0) return sha256(new Uint8Array(0));
  if (leaves.length === 1) return leafHash(leaves[0] as Bytes);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(treeRoot(leaves.slice(0, split)), treeRoot(leaves.slice(split)));
}

/** Whether the proof leads from this leaf at this index to the root of a tree of this size. */
export function provesInclusion(
  data: Bytes,
  index: number,
  treeSize: number,
  proof: readonly Bytes[],
  root: Bytes,
): boolean {
  if (index >= treeSize || proof.length > MAX_PROOF_LENGTH) return false;
  let place = index;
  let last = treeSize - 1;
  let node = leafHash(data);
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      node = nodeHash(sibling, node);
      while (!isOdd(place) && place !== 0) {
        place = half(place);
        last = half(last);
      }
    } else {
      node = nodeHash(node, sibling);
    }
    place = half(place);
    last = half(last);
  }
  return last === 0 && sameBytes(node, root);
}

/** Whether the proof shows that the larger tree begins with the smaller one. */
export function provesConsistency(
  fromSize: number,
  fromRoot: Bytes,
  toSize: number,
  toRoot: Bytes,
  proof: readonly Bytes[],
): boolean {
  if (fromSize > toSize || proof.length > MAX_PROOF_LENGTH) return false;
  if (fromSize === toSize) return proof.length === 0 && sameBytes(fromRoot, toRoot);
  if (fromSize === 0) return proof.length === 0 && sameBytes(fromRoot, treeRoot([]));
  const path = isPowerOfTwo(fromSize) ? [fromRoot, ...proof] : [...proof];
  const [first, ...rest] = path;
  if (first === undefined) return false;
  let place = fromSize - 1;
  let last = toSize - 1;
  while (isOdd(place)) {
    place = half(place);
    last = half(last);
  }
  let older = first;
  let newer = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      older = nodeHash(sibling, older);
      newer = nodeHash(sibling, newer);
      while (!isOdd(place) && place !== 0) {
        place = half(place);
        last = half(last);
      }
    } else {
      newer = nodeHash(newer, sibling);
    }
    place = half(place);
    last = half(last);
  }
  return last === 0 && sameBytes(older, fromRoot) && sameBytes(newer, toRoot);
}

// Sizes go past 2^31, where bitwise operators of the language end.
function half(value: number): number {
  return Math.floor(value / 2);
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function isPowerOfTwo(value: number): boolean {
  let rest = value;
  while (rest > 1 && !isOdd(rest)) rest /= 2;
  return rest === 1;
}
