import { describe, expect, it } from "vitest";
import { join, sha256, type Bytes } from "../../src/fair/encoding";
import { leafHash, provesConsistency, provesInclusion, treeRoot } from "../../src/fair/merkle";

// The proofs as RFC 9162 defines them, by recursion over whole lists: slow and obvious.

function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

function inclusionProof(index: number, leaves: readonly Bytes[]): Bytes[] {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...inclusionProof(index, left), treeRoot(right)]
    : [...inclusionProof(index - split, right), treeRoot(left)];
}

function consistencyProof(from: number, leaves: readonly Bytes[], whole = true): Bytes[] {
  if (from === leaves.length) return whole ? [] : [treeRoot(leaves)];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return from <= split
    ? [...consistencyProof(from, left, whole), treeRoot(right)]
    : [...consistencyProof(from - split, right, false), treeRoot(left)];
}

const LEAVES = Array.from({ length: 21 }, (_, at) => new Uint8Array([at, 7]));
const SIZES = LEAVES.map((_, at) => at + 1);

function changed(proof: readonly Bytes[], at: number): Bytes[] {
  return proof.map((node, place) => (place === at ? sha256(node) : node));
}

describe("a tree", () => {
  it("hashes leaves and nodes apart", () => {
    const [first, second] = [leafHash(LEAVES[0] as Bytes), leafHash(LEAVES[1] as Bytes)];
    expect(treeRoot(LEAVES.slice(0, 2))).toEqual(sha256(join(new Uint8Array([1]), first, second)));
    expect(treeRoot([])).toEqual(sha256(new Uint8Array(0)));
  });

  it.each(SIZES)("of %i leaves proves each of them, and no other", (size) => {
    const leaves = LEAVES.slice(0, size);
    const root = treeRoot(leaves);
    for (const [index, leaf] of leaves.entries()) {
      const proof = inclusionProof(index, leaves);
      expect(provesInclusion(leaf, index, size, proof, root)).toBe(true);
      expect(provesInclusion(new Uint8Array([99]), index, size, proof, root)).toBe(false);
      expect(provesInclusion(leaf, index, size, [...proof, root], root)).toBe(false);
      if (size > 1) expect(provesInclusion(leaf, (index + 1) % size, size, proof, root)).toBe(false);
      for (const at of proof.keys()) expect(provesInclusion(leaf, index, size, changed(proof, at), root)).toBe(false);
    }
    expect(provesInclusion(LEAVES[0] as Bytes, size, size, [], root)).toBe(false);
  });

  it.each(SIZES)("of %i leaves proves that it begins with every smaller one", (size) => {
    const leaves = LEAVES.slice(0, size);
    const root = treeRoot(leaves);
    for (const from of SIZES.filter((one) => one <= size)) {
      const older = treeRoot(leaves.slice(0, from));
      const proof = consistencyProof(from, leaves);
      expect(provesConsistency(from, older, size, root, proof)).toBe(true);
      expect(provesConsistency(from, sha256(older), size, root, proof)).toBe(false);
      expect(provesConsistency(size, root, from, older, proof)).toBe(from === size);
      for (const at of proof.keys()) {
        expect(provesConsistency(from, older, size, root, changed(proof, at))).toBe(false);
      }
    }
  });

  it("begins with the empty one, whose root is known", () => {
    expect(provesConsistency(0, treeRoot([]), 3, treeRoot(LEAVES.slice(0, 3)), [])).toBe(true);
    expect(provesConsistency(0, treeRoot(LEAVES), 3, treeRoot(LEAVES.slice(0, 3)), [])).toBe(false);
  });

  it("takes no proof longer than any tree needs", () => {
    const endless = Array.from({ length: 65 }, () => treeRoot([]));
    expect(provesInclusion(LEAVES[0] as Bytes, 0, Number.MAX_SAFE_INTEGER, endless, treeRoot([]))).toBe(false);
  });
});
