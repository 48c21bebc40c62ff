import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, it, vi } from "vitest";
import { checkCommit, holdsHash, type CommitReceipt } from "../../src/app/table/sealed_terms";
import { fromHex, join, label, toHex, u32 } from "../../src/fair/encoding";
import { dayName } from "../../src/fair/key_ring";
import { HouseKeys } from "../../src/app/table/house_keys";
import { commitMessage } from "../../src/fair/receipts";
import { termsHash, type Terms } from "../../src/fair/terms";
import type { TableSummary } from "../../src/generated/protocol";
import { readFileSync } from "node:fs";

interface Hand {
  readonly input: { readonly terms: Terms };
  readonly deal: { readonly terms_hash: string; readonly commitment: string };
  readonly commit_receipt: Omit<CommitReceipt, "terms" | "terms_hash" | "commitment">;
  readonly hashes_receipt: { readonly hashes: string };
  readonly contribution_receipt: { readonly seat: number; readonly hash: string };
  readonly public_key: string;
  readonly key_id: string;
  readonly signing_secret_for_tests: string;
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../../tests/vectors/fairness.json", import.meta.url), "utf8"),
) as { hands: Hand[] };
const hand = vectors.hands[0] as Hand;
const terms = hand.input.terms;
const uuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
const me = uuid((terms.players[0] as { player_id: string }).player_id);
const [FIRST_DAY, LAST_DAY] = [0, 100_000];
const secret = fromHex(hand.signing_secret_for_tests);
const statement = join(label("key"), fromHex(hand.public_key), u32(FIRST_DAY), u32(LAST_DAY));
const published = {
  key_id: hand.key_id,
  public_key: hand.public_key,
  first_day: dayName(FIRST_DAY),
  last_day: dayName(LAST_DAY),
  signature: toHex(ed25519.sign(statement, secret)),
};
const keys = new HouseKeys(() => Promise.resolve({ keys: [published] }));
const receipt: CommitReceipt = {
  ...hand.commit_receipt,
  terms,
  terms_hash: hand.deal.terms_hash,
  commitment: hand.deal.commitment,
};
const table = {
  table_id: uuid(terms.table_id),
  seat_count: terms.seats,
  rate: terms.rate,
  commission_bp: terms.commission_bp,
  rules: {
    format: "points",
    match: null,
    min_players: 2,
    turn_seconds: 30,
    time_bank_seconds: 30,
    missed_turns_to_drop: 3,
    take_wild_from_pile: "allowed",
    return_taken_card: "forbidden",
    reshuffles_allowed: 3,
  },
} as TableSummary;

function signedAgain(changed: Partial<Terms>): CommitReceipt {
  const other = { ...terms, ...changed };
  const th = termsHash(other);
  const message = commitMessage(th, fromHex(receipt.commitment), receipt);
  const signature = toHex(ed25519.sign(message, secret));
  return { ...receipt, terms: other, terms_hash: toHex(th), signature };
}

describe("before giving a part to a shuffle", () => {
  it("accepts the house's own receipt", async () => {
    expect((await checkCommit(receipt, uuid(terms.hand_id), me, table, keys)).problem).toBeNull();
  });

  it("believes no key that has not signed its own days", async () => {
    const foreign = new HouseKeys(() => Promise.resolve({ keys: [{ ...published, signature: "00".repeat(64) }] }));
    await expect(checkCommit(receipt, uuid(terms.hand_id), me, table, foreign)).rejects.toThrow("days of validity");
  });

  it("checks by its own code where the browser has no cryptography", async () => {
    vi.stubGlobal("crypto", {});
    const checked = await checkCommit(receipt, uuid(terms.hand_id), me, table, keys);
    vi.unstubAllGlobals();
    expect(checked.problem).toBeNull();
  });

  const wrong: [string, CommitReceipt, string, string, string][] = [
    ["terms that are not those hashed", { ...receipt, terms: { ...terms, rate: 1 } }, terms.hand_id, me, "commit"],
    ["another hand", receipt, "0".repeat(32), me, "commit"],
    ["a player who is not in the terms", receipt, terms.hand_id, uuid("f".repeat(32)), "terms"],
    ["another rate, signed by the house", signedAgain({ rate: terms.rate * 2 }), terms.hand_id, me, "terms"],
    ["another rule, signed by the house", signedAgain({ rules: { ...terms.rules, turn_seconds: "5" } }), terms.hand_id, me, "terms"],
    ["a stake in a match that nobody plays", signedAgain({ rules: { ...terms.rules, buy_in: "100" } }), terms.hand_id, me, "terms"],
    ["another seed's commitment", { ...receipt, commitment: "0".repeat(64) }, terms.hand_id, me, "signature"],
    ["a hand that is not in the log, signed by the house", signedAgain({ opened_ms: 5 }), terms.hand_id, me, "log"],
  ];
  it.each(wrong)("refuses %s", async (_, changed, handId, player, problem) => {
    expect((await checkCommit(changed, uuid(handId), player, table, keys)).problem).toBe(problem);
  });

  it("finds the own hash in the closed list, and only the own one", () => {
    const list = fromHex(hand.hashes_receipt.hashes);
    const own = hand.contribution_receipt;
    expect(holdsHash(list, own.seat, fromHex(own.hash))).toBe(true);
    expect(holdsHash(list, own.seat + 1, fromHex(own.hash))).toBe(false);
    expect(holdsHash(list.slice(0, -1), own.seat, fromHex(own.hash))).toBe(false);
  });
});
