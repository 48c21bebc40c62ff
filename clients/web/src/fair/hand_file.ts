/**
 * A finished hand as one JSON file: all that anybody needs to check it. Read here as well-formed, and nothing more is
 * said of it: what the file claims is for `verify` to check. Source: FAIRNESS_SPEC section 12, docs/fairness.md.
 */

import { CARDS_PER_HAND } from "../rummy/cards";
import { MAX_PLAYERS, MAX_TEXT_BYTES, type Contribution } from "./contributions";
import { MAX_CARD, MAX_SEAT, readEvent, type TranscriptEvent } from "./events";
import { Fields, Malformed } from "./json_form";
import { MAX_KEYS, readKey, type KeyRing } from "./key_ring";
import { MAX_PROOF_LENGTH } from "./merkle";
import type { Player, Terms } from "./terms";
import type { Showing } from "./transcript";

export const PROTOCOL = "rummy-fair/1";

/** Bytes are hex throughout, names are those of the file. */
export interface CommitReceipt {
  readonly leaf_index: number;
  readonly tree_size: number;
  readonly root: string;
  readonly at_ms: number;
  readonly inclusion: readonly string[];
  readonly signature: string;
}

/** A seat's hash was accepted, or what opens it was. */
export interface ContributionReceipt {
  readonly seat: number;
  readonly hash: string;
  readonly at_ms: number;
  readonly signature: string;
}

export interface HashesReceipt {
  readonly hashes: string;
  readonly at_ms: number;
  readonly signature: string;
}

export interface StateReceipt {
  readonly k: number;
  readonly head: string;
  readonly seat: number;
  readonly seat_head: string;
  readonly at_ms: number;
  readonly signature: string;
}

/** The signed tree head that the hand's end is under, with the proofs that lead there. */
export interface TreeHead {
  readonly tree_size: number;
  readonly root: string;
  readonly at_ms: number;
  readonly signature: string;
  readonly consistency_from: number;
  readonly consistency: readonly string[];
  readonly inclusion_close: readonly string[];
}

/** One seat's private chain, opened, and the receipts that its player kept. */
export interface SeatPart {
  readonly private: readonly Showing[];
  readonly heads: readonly string[];
  readonly contribution_receipt: ContributionReceipt | null;
  readonly reveal_receipt: ContributionReceipt | null;
  readonly state_receipts: readonly StateReceipt[];
}

export interface HandFile {
  readonly terms: Terms;
  readonly serverSeed: string;
  readonly contributions: readonly Contribution[];
  readonly claimedTermsHash: string;
  readonly claimedCommitment: string;
  readonly events: readonly TranscriptEvent[];
  readonly heads: readonly string[];
  readonly seats: ReadonlyMap<number, SeatPart>;
  readonly commitReceipt: CommitReceipt;
  /** Null when the hand was voided before the list was signed. */
  readonly hashesReceipt: HashesReceipt | null;
  readonly closeIndex: number;
  readonly treeHead: TreeHead;
  readonly keys: KeyRing;
}

/** Far above what a hand can have: the stock, four times over, at two events a turn. */
const MAX_EVENTS = 10_000;
const MAX_RULES = 64;
const MAX_RULE_LENGTH = 256;
const MAX_COMMISSION_BP = 10_000;
const SIGNATURE_BYTES = 64;
const DECKS_BY_SEATS: Readonly<Record<number, number>> = { 4: 2, 6: 2, 8: 3 };
const STATUSES = ["none", "given", "withheld"] as const;

/** Throws Malformed naming the first thing that breaks the form. */
export function readHandFile(value: unknown): HandFile {
  const fields = new Fields(value, "file");
  const protocol = fields.text("protocol");
  if (protocol !== PROTOCOL) throw fields.wrong("protocol", `is '${protocol.slice(0, 40)}': this reads '${PROTOCOL}'`);
  const input = readInput(fields.object("input"));
  const file: HandFile = {
    ...input,
    claimedTermsHash: fields.hash("terms_hash"),
    claimedCommitment: fields.hash("commitment"),
    events: fields.objects("events", MAX_EVENTS, readEvent),
    heads: fields.hashes("heads", MAX_EVENTS + 1),
    seats: readSeats(fields.object("seats"), input.terms),
    commitReceipt: readCommitReceipt(fields.object("commit_receipt")),
    hashesReceipt: fields.isNull("hashes_receipt") ? null : readHashesReceipt(fields.object("hashes_receipt")),
    closeIndex: fields.u64("close_index"),
    treeHead: readTreeHead(fields.object("sth")),
    keys: fields.objects("keys", MAX_KEYS, readKey),
  };
  fields.nothingElse();
  return file;
}

function readInput(fields: Fields): Pick<HandFile, "terms" | "serverSeed" | "contributions"> {
  const terms = readTerms(fields.object("terms"));
  const serverSeed = fields.hex("server_seed", 32);
  const contributions = fields.objects("contributions", MAX_PLAYERS, readContribution);
  fields.nothingElse();
  const seats = contributions.map((one) => one.seat).join();
  if (seats !== terms.players.map((player) => player.seat).join()) {
    throw new Malformed("the contributions are not one for each player of the terms");
  }
  return { terms, serverSeed, contributions };
}

function readTerms(fields: Fields): Terms {
  const terms: Terms = {
    hand_id: fields.hex("hand_id", 16),
    table_id: fields.hex("table_id", 16),
    hand_no: fields.integer("hand_no", 1, Number.MAX_SAFE_INTEGER),
    seats: fields.integer("seats", 0, 255),
    decks: fields.integer("decks", 0, 255),
    dealer: fields.integer("dealer", 0, 255),
    rate: fields.u64("rate"),
    commission_bp: fields.integer("commission_bp", 0, MAX_COMMISSION_BP),
    rules: readRuleMap(fields.object("rules")),
    opened_ms: fields.u64("opened_ms"),
    players: fields.objects("players", 255, readPlayer),
  };
  fields.nothingElse();
  const decks = DECKS_BY_SEATS[terms.seats];
  if (decks === undefined) throw fields.wrong("seats", `is ${terms.seats}: a table has 4, 6 or 8`);
  if (terms.decks !== decks) throw fields.wrong("decks", `is ${terms.decks}: ${terms.seats} seats play with ${decks}`);
  if (terms.dealer >= terms.seats) throw fields.wrong("dealer", `is ${terms.dealer}, no seat of this table`);
  checkPlayers(fields, terms);
  return terms;
}

function checkPlayers(fields: Fields, terms: Terms): void {
  const seats = terms.players.map((player) => player.seat);
  if (seats.length < 2) throw fields.wrong("players", `are ${seats.length}: a hand needs at least 2`);
  if (seats.some((seat, at) => at > 0 && seat <= (seats[at - 1] as number))) {
    throw fields.wrong("players", "are not in ascending seat order, each seat once");
  }
  if (seats.some((seat) => seat >= terms.seats)) throw fields.wrong("players", "sit on seats that the table lacks");
}

function readRuleMap(fields: Fields): Record<string, string> {
  const names = fields.names();
  if (names.length > MAX_RULES) throw new Malformed(`rules has ${names.length} entries: at most ${MAX_RULES}`);
  const entries = names.map((name) => [name, fields.text(name)] as const);
  for (const text of entries.flat()) {
    if (!/^[ -~]*$/.test(text) || text.length > MAX_RULE_LENGTH) {
      throw new Malformed(
        `rules: '${text.slice(0, 40)}' is not printable ASCII of at most ${MAX_RULE_LENGTH} characters`,
      );
    }
  }
  return Object.fromEntries(entries);
}

function readPlayer(fields: Fields): Player {
  const player = { seat: fields.integer("seat", 0, 255), player_id: fields.hex("player_id", 16) };
  fields.nothingElse();
  return player;
}

function readContribution(fields: Fields): Contribution {
  const status = fields.oneOf("status", STATUSES);
  const seat = fields.integer("seat", 0, MAX_SEAT);
  const contribution: Contribution =
    status === "none"
      ? { seat, status }
      : status === "withheld"
        ? { seat, status, hash: fields.hash("hash") }
        : { seat, status, hash: fields.hash("hash"), nonce: fields.hex("nonce", 32), text_hex: fields.hex("text_hex") };
  fields.nothingElse();
  if (contribution.status === "given" && contribution.text_hex.length > 2 * MAX_TEXT_BYTES) {
    throw fields.wrong("text_hex", `has ${contribution.text_hex.length / 2} bytes: at most ${MAX_TEXT_BYTES}`);
  }
  return contribution;
}

function readSeats(fields: Fields, terms: Terms): Map<number, SeatPart> {
  const seats = terms.players.map((player) => player.seat);
  if (fields.names().sort().join() !== seats.join()) {
    throw new Malformed(`file.seats is not one entry for each player: ${seats.join(", ")}`);
  }
  return new Map(seats.map((seat) => [seat, readSeatPart(fields.object(String(seat)))]));
}

function readSeatPart(fields: Fields): SeatPart {
  const part: SeatPart = {
    private: fields.objects("private", MAX_EVENTS, readShowing),
    heads: fields.hashes("heads", MAX_EVENTS + 1),
    contribution_receipt: fields.has("contribution_receipt")
      ? readContributionReceipt(fields.object("contribution_receipt"))
      : null,
    reveal_receipt: fields.has("reveal_receipt") ? readContributionReceipt(fields.object("reveal_receipt")) : null,
    state_receipts: fields.has("state_receipts") ? fields.objects("state_receipts", MAX_EVENTS, readStateReceipt) : [],
  };
  fields.nothingElse();
  return part;
}

function readShowing(fields: Fields): Showing {
  const showing = {
    k: fields.integer("k", 0, MAX_EVENTS),
    cards: fields.integers("cards", CARDS_PER_HAND, 0, MAX_CARD),
  };
  fields.nothingElse();
  return showing;
}

function readTreeHead(fields: Fields): TreeHead {
  const head = {
    tree_size: fields.u64("tree_size"),
    root: fields.hash("root"),
    at_ms: fields.u64("at_ms"),
    signature: fields.hex("signature", SIGNATURE_BYTES),
    consistency_from: fields.u64("consistency_from"),
    consistency: fields.hashes("consistency", MAX_PROOF_LENGTH),
    inclusion_close: fields.hashes("inclusion_close", MAX_PROOF_LENGTH),
  };
  fields.nothingElse();
  return head;
}

/** Reads what a commit receipt holds; the caller sees to other fields beside it. */
export function takeCommitReceipt(fields: Fields): CommitReceipt {
  return {
    leaf_index: fields.u64("leaf_index"),
    tree_size: fields.u64("tree_size"),
    root: fields.hash("root"),
    at_ms: fields.u64("at_ms"),
    inclusion: fields.hashes("inclusion", MAX_PROOF_LENGTH),
    signature: fields.hex("signature", SIGNATURE_BYTES),
  };
}

export function takeContributionReceipt(fields: Fields): ContributionReceipt {
  return {
    seat: fields.integer("seat", 0, MAX_SEAT),
    hash: fields.hash("hash"),
    at_ms: fields.u64("at_ms"),
    signature: fields.hex("signature", SIGNATURE_BYTES),
  };
}

export function takeHashesReceipt(fields: Fields): HashesReceipt {
  return {
    hashes: fields.hex("hashes"),
    at_ms: fields.u64("at_ms"),
    signature: fields.hex("signature", SIGNATURE_BYTES),
  };
}

export function takeStateReceipt(fields: Fields): StateReceipt {
  return {
    k: fields.integer("k", 0, MAX_EVENTS),
    head: fields.hash("head"),
    seat: fields.integer("seat", 0, MAX_SEAT),
    seat_head: fields.hash("seat_head"),
    at_ms: fields.u64("at_ms"),
    signature: fields.hex("signature", SIGNATURE_BYTES),
  };
}

function alone<T>(take: (fields: Fields) => T): (fields: Fields) => T {
  return (fields) => {
    const taken = take(fields);
    fields.nothingElse();
    return taken;
  };
}

const readCommitReceipt = alone(takeCommitReceipt);
const readContributionReceipt = alone(takeContributionReceipt);
const readHashesReceipt = alone(takeHashesReceipt);
const readStateReceipt = alone(takeStateReceipt);
