/**
 * One signed receipt on its own, as a player keeps it, held against a hand. Source: docs/fairness.md, "Receipts to keep".
 */

import { encodeHashes, type Contribution } from "./contributions";
import { fromHex, toHex, type Bytes } from "./encoding";
import {
  PROTOCOL,
  takeCommitReceipt,
  takeContributionReceipt,
  takeHashesReceipt,
  takeStateReceipt,
  type CommitReceipt,
  type ContributionReceipt,
  type HandFile,
  type HashesReceipt,
  type StateReceipt,
} from "./hand_file";
import { Fields } from "./json_form";
import type { KeyRing } from "./key_ring";
import { signerOf, type Signer } from "./keys";
import { commitMessage, contributionMessage, hashesMessage, stateMessage } from "./receipts";
import { seatHeadAt } from "./transcript";

/** Bytes as hex. */
interface Whose {
  readonly hand_id: string;
  readonly terms_hash: string;
  readonly commitment: string;
}

export type KeptReceipt = Whose &
  (
    | ({ readonly kind: "commit" } & CommitReceipt)
    | ({ readonly kind: "contribution" | "reveal" } & ContributionReceipt)
    | ({ readonly kind: "hashes" } & HashesReceipt)
    | ({ readonly kind: "state" } & StateReceipt)
  );

const KINDS = ["commit", "contribution", "hashes", "reveal", "state"] as const;

/** Throws Malformed. */
export function readKeptReceipt(value: unknown): KeptReceipt {
  const fields = new Fields(value, "receipt");
  fields.oneOf("protocol", [PROTOCOL]);
  const kind = fields.oneOf("receipt", KINDS);
  const whose = {
    hand_id: fields.hex("hand_id", 16),
    terms_hash: fields.hash("terms_hash"),
    commitment: fields.hash("commitment"),
  };
  const receipt: KeptReceipt = { ...whose, ...takeReceipt(fields, kind) };
  fields.nothingElse();
  return receipt;
}

function takeReceipt(fields: Fields, kind: (typeof KINDS)[number]) {
  switch (kind) {
    case "commit":
      return { kind, ...takeCommitReceipt(fields) };
    case "contribution":
    case "reveal":
      return { kind, ...takeContributionReceipt(fields) };
    case "hashes":
      return { kind, ...takeHashesReceipt(fields) };
    case "state":
      return { kind, ...takeStateReceipt(fields) };
  }
}

export function signerOfReceipt(receipt: KeptReceipt, ring: KeyRing): Signer {
  return signerOf(ring, signedMessage(receipt), receipt.at_ms, receipt.signature);
}

function signedMessage(receipt: KeptReceipt): Bytes {
  const th = fromHex(receipt.terms_hash);
  switch (receipt.kind) {
    case "commit":
      return commitMessage(th, fromHex(receipt.commitment), receipt);
    case "contribution":
    case "reveal":
      return contributionMessage(receipt.kind, th, receipt);
    case "hashes":
      return hashesMessage(th, receipt);
    case "state":
      return stateMessage(th, receipt);
  }
}

/** Whether a receipt says of a verified hand what the hand's file says. The caller has verified that file. */
export function agreesWith(receipt: KeptReceipt, file: HandFile): boolean {
  if (receipt.hand_id !== file.terms.hand_id || receipt.terms_hash !== file.claimedTermsHash) return false;
  switch (receipt.kind) {
    case "commit":
      return receipt.commitment === file.claimedCommitment && receipt.leaf_index === file.commitReceipt.leaf_index;
    case "contribution":
      return hashOf(file, receipt.seat) === receipt.hash;
    case "reveal":
      return hashOf(file, receipt.seat) === receipt.hash && !isWithheld(file, receipt.seat);
    case "hashes":
      return receipt.hashes === toHex(encodeHashes(file.contributions));
    case "state":
      return agreesWithState(receipt, file);
  }
}

function contributionOf(file: HandFile, seat: number): Contribution | undefined {
  return file.contributions.find((one) => one.seat === seat);
}

function hashOf(file: HandFile, seat: number): string | null {
  const one = contributionOf(file, seat);
  return one === undefined || one.status === "none" ? null : one.hash;
}

/** A hand voided before its deal calls nobody's contribution given; one that was dealt must. */
function isWithheld(file: HandFile, seat: number): boolean {
  return contributionOf(file, seat)?.status !== "given" && file.events.some(({ fact }) => fact.type === "dealt");
}

function agreesWithState(receipt: StateReceipt, file: HandFile): boolean {
  const part = file.seats.get(receipt.seat);
  if (part === undefined || file.heads[receipt.k + 1] !== receipt.head) return false;
  return toHex(seatHeadAt(part.heads.map(fromHex), part.private, receipt.k)) === receipt.seat_head;
}
