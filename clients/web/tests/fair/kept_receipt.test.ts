import { describe, expect, it } from "vitest";
import { readHandFile } from "../../src/fair/hand_file";
import { agreesWith, readKeptReceipt, signerOfReceipt, type KeptReceipt } from "../../src/fair/kept_receipt";
import { HOUSE_KEYS, sample } from "./samples";

interface OwnFile {
  terms_hash: string;
  commitment: string;
  input: { terms: { hand_id: string } };
  commit_receipt: object;
  hashes_receipt: object;
  seats: Record<string, { contribution_receipt?: object; reveal_receipt?: object; state_receipts?: object[] }>;
}

/** The receipts of a player's own file, each as it is kept alone. */
function kept(name: string): Record<string, unknown>[] {
  const own = sample(name).own as OwnFile;
  const around = {
    protocol: "rummy-fair/1",
    hand_id: own.input.terms.hand_id,
    terms_hash: own.terms_hash,
    commitment: own.commitment,
  };
  const of = (receipt: string, fields: object): Record<string, unknown> => ({ ...around, receipt, ...fields });
  const seats = Object.values(own.seats).flatMap((part) => [
    ...(part.contribution_receipt ? [of("contribution", part.contribution_receipt)] : []),
    ...(part.reveal_receipt ? [of("reveal", part.reveal_receipt)] : []),
    ...(part.state_receipts ?? []).map((state) => of("state", state)),
  ]);
  return [of("commit", own.commit_receipt), of("hashes", own.hashes_receipt), ...seats];
}

function kinds(receipts: readonly KeptReceipt[]): string[] {
  return [...new Set(receipts.map((receipt) => receipt.kind))].sort();
}

describe("a receipt kept alone", () => {
  const file = readHandFile(sample("declared_by_one_of_four").public);
  const receipts = kept("declared_by_one_of_four").map(readKeptReceipt);

  it("is signed by the house and agrees with its hand, whatever its kind", () => {
    expect(kinds(receipts)).toEqual(["commit", "contribution", "hashes", "reveal", "state"]);
    for (const receipt of receipts) {
      expect([receipt.kind, signerOfReceipt(receipt, HOUSE_KEYS).state]).toEqual([receipt.kind, "valid"]);
      expect([receipt.kind, agreesWith(receipt, file)]).toEqual([receipt.kind, true]);
    }
  });

  it("agrees with no other hand", () => {
    const other = readHandFile(sample("declared").public);
    for (const receipt of receipts) expect(agreesWith(receipt, other)).toBe(false);
  });

  it("contradicts a hand that was told otherwise", () => {
    const told = {
      ...file,
      heads: file.heads.map(() => "00".repeat(32)),
      contributions: file.contributions.map(({ seat }) => ({ seat, status: "none" as const })),
      claimedCommitment: "00".repeat(32),
    };
    for (const receipt of receipts) expect([receipt.kind, agreesWith(receipt, told)]).toEqual([receipt.kind, false]);
  });

  it("contradicts a hand that calls an opened part withheld", () => {
    const contributions = file.contributions.map((one) =>
      one.status === "given" ? { seat: one.seat, status: "withheld" as const, hash: one.hash } : one,
    );
    const reveal = receipts.find((receipt) => receipt.kind === "reveal") as KeptReceipt;
    expect(agreesWith(reveal, { ...file, contributions })).toBe(false);
  });

  it("is not signed once any of its fields is another", () => {
    for (const one of kept("declared_by_one_of_four")) {
      const receipt = readKeptReceipt({ ...one, at_ms: (one["at_ms"] as number) + 1 });
      expect(signerOfReceipt(receipt, HOUSE_KEYS).state).toBe("unknown_key");
    }
  });

  it.each([
    ["another protocol", { protocol: "rummy-fair/2" }],
    ["an unknown kind", { receipt: "tree_head" }],
    ["a field more", { note: "" }],
    ["a short hash", { terms_hash: "00" }],
  ])("is refused with %s", (_, change) => {
    expect(() => readKeptReceipt({ ...kept("declared")[0], ...change })).toThrow();
  });
});
