/**
 * The fairness vectors, checked by plain code that runs under Node and in a browser alike.
 * Each check returns what is wrong, one line each; nothing when all is right.
 */

import type { Card } from "../../src/rummy/cards";
import { commitment } from "../../src/fair/commitment";
import { encodeRoster, rosterHash, type Contribution } from "../../src/fair/contributions";
import { deal, deckOrder, handKey, reshuffledStock, Stream } from "../../src/fair/deck";
import { fromHex, toHex } from "../../src/fair/encoding";
import { encodeEvent, readEvent } from "../../src/fair/events";
import { Fields } from "../../src/fair/json_form";
import { provesConsistency, provesInclusion, treeRoot } from "../../src/fair/merkle";
import {
  commitMessage,
  contributionMessage,
  hashesMessage,
  keyId,
  stateMessage,
  treeHeadMessage,
} from "../../src/fair/receipts";
import { isSignedBy } from "../../src/fair/signature";
import { encodeTerms, termsHash, type Terms } from "../../src/fair/terms";
import { chainHeads, seatHeads, type Showing } from "../../src/fair/transcript";

interface DealInput {
  terms: Terms;
  server_seed: string;
  contributions: Contribution[];
}

export interface FairnessVectors {
  deal: { id: string; input: DealInput; output: Record<string, unknown> }[];
  reshuffle: { hand_key: string; r: number; pile_bottom_first: Card[]; kept_top: Card; stock_top_first: Card[] }[];
  uniform: { key: string; n: number; values: number[]; blocks_used: number }[];
  merkle: {
    leaves: string[];
    root: string;
    index?: number;
    inclusion?: string[];
    from_size?: number;
    from_root?: string;
    consistency?: string[];
  }[];
  hands: HandVector[];
}

export interface HandVector {
  input: DealInput;
  deal: Record<string, unknown>;
  events: unknown[];
  event_bytes: string[];
  heads: string[];
  seats: Record<string, { private: Showing[]; heads: string[] }>;
  public_key: string;
  key_id: string;
  log_leaves: string[];
  open_index: number;
  close_index: number;
  commit_receipt: Parameters<typeof commitMessage>[2] & { inclusion: string[]; signature: string };
  contribution_receipt: Parameters<typeof contributionMessage>[2] & { signature: string };
  hashes_receipt: Parameters<typeof hashesMessage>[1] & { signature: string };
  reveal_receipt: Parameters<typeof contributionMessage>[2] & { signature: string };
  state_receipt: Parameters<typeof stateMessage>[1] & { signature: string };
  sth: Parameters<typeof treeHeadMessage>[0] & {
    signature: string;
    consistency_from: number;
    consistency: string[];
    inclusion_close: string[];
  };
}

/** Collects what differs. */
class Differences {
  readonly lines: string[] = [];

  same(what: string, found: unknown, wanted: unknown): void {
    if (JSON.stringify(found) !== JSON.stringify(wanted)) this.lines.push(what);
  }

  holds(what: string, condition: boolean): void {
    if (!condition) this.lines.push(what);
  }
}

/** Every vector of the file; the answer is empty when all come out right. */
export function checkVectors(vectors: FairnessVectors): string[] {
  const differences = new Differences();
  for (const one of vectors.deal) differences.same(one.id, dealOutput(one.input), one.output);
  for (const [at, one] of vectors.reshuffle.entries()) {
    const stock = reshuffledStock(fromHex(one.hand_key), one.r, one.pile_bottom_first);
    differences.same(`reshuffle ${at}`, [stock, one.pile_bottom_first.at(-1)], [one.stock_top_first, one.kept_top]);
  }
  for (const [at, one] of vectors.uniform.entries()) {
    const stream = new Stream(fromHex(one.key));
    const values = one.values.map(() => stream.uniform(one.n));
    differences.same(`uniform ${at}`, [values, stream.blocksUsed], [one.values, one.blocks_used]);
  }
  for (const [at, one] of vectors.merkle.entries()) checkTree(differences, `merkle ${at}`, one);
  for (const [at, one] of vectors.hands.entries()) checkHand(differences, `hand ${at}`, one);
  return differences.lines;
}

/** The `output` of a deal vector, in its order of fields. */
export function dealOutput(input: DealInput): Record<string, unknown> {
  const { terms, contributions } = input;
  const th = termsHash(terms);
  const seed = fromHex(input.server_seed);
  const roster = encodeRoster(contributions);
  const rh = rosterHash(roster);
  const hk = handKey(seed, th, rh);
  const deck = deckOrder(hk, terms.decks);
  const seats = terms.players.map((player) => player.seat);
  const { order, hands, wild, open, stock } = deal(deck, seats, terms.dealer);
  return {
    terms: toHex(encodeTerms(terms)),
    terms_hash: toHex(th),
    commitment: toHex(commitment(th, seed)),
    roster: toHex(roster),
    roster_hash: toHex(rh),
    hand_key: toHex(hk),
    deck,
    deal_order: order,
    hands: Object.fromEntries(seats.map((seat) => [seat, hands.get(seat)])),
    wild,
    open,
    stock,
  };
}

function checkTree(differences: Differences, name: string, one: FairnessVectors["merkle"][number]): void {
  const leaves = one.leaves.map(fromHex);
  const root = treeRoot(leaves);
  differences.same(`${name} root`, toHex(root), one.root);
  if (one.index === undefined || one.from_size === undefined) return;
  const inclusion = (one.inclusion ?? []).map(fromHex);
  const leaf = leaves[one.index] as Uint8Array;
  differences.holds(`${name} inclusion`, provesInclusion(leaf, one.index, leaves.length, inclusion, root));
  differences.holds(
    `${name} inclusion of another leaf`,
    !provesInclusion(new Uint8Array([9]), one.index, leaves.length, inclusion, root),
  );
  const fromRoot = fromHex(one.from_root ?? "");
  differences.same(`${name} older root`, toHex(treeRoot(leaves.slice(0, one.from_size))), one.from_root);
  const consistency = (one.consistency ?? []).map(fromHex);
  differences.holds(
    `${name} consistency`,
    provesConsistency(one.from_size, fromRoot, leaves.length, root, consistency),
  );
}

function checkHand(differences: Differences, name: string, hand: HandVector): void {
  const { terms, server_seed } = hand.input;
  const th = termsHash(terms);
  const C = commitment(th, fromHex(server_seed));
  differences.same(`${name} deal`, dealOutput(hand.input), hand.deal);
  const events = hand.events.map((event) => readEvent(new Fields(event, "event")));
  const bytes = events.map((event) => toHex(encodeEvent(event)));
  differences.same(`${name} event bytes`, bytes, hand.event_bytes);
  const heads = chainHeads(th, C, events);
  differences.same(`${name} heads`, heads.map(toHex), hand.heads);
  for (const player of terms.players) {
    const seat = hand.seats[player.seat];
    const found = seatHeads(th, player.seat, player.player_id, seat?.private ?? []);
    differences.same(`${name} seat ${player.seat}`, found.map(toHex), seat?.heads);
  }
  checkReceipts(differences, name, hand, th, C);
  checkLog(differences, name, hand);
}

function checkReceipts(differences: Differences, name: string, hand: HandVector, th: Uint8Array, C: Uint8Array): void {
  const signed: [string, Uint8Array, string][] = [
    ["commit", commitMessage(th, C, hand.commit_receipt), hand.commit_receipt.signature],
    [
      "contribution",
      contributionMessage("contribution", th, hand.contribution_receipt),
      hand.contribution_receipt.signature,
    ],
    ["hashes", hashesMessage(th, hand.hashes_receipt), hand.hashes_receipt.signature],
    ["reveal", contributionMessage("reveal", th, hand.reveal_receipt), hand.reveal_receipt.signature],
    ["state", stateMessage(th, hand.state_receipt), hand.state_receipt.signature],
    ["tree head", treeHeadMessage(hand.sth), hand.sth.signature],
  ];
  differences.same(`${name} key id`, keyId(hand.public_key), hand.key_id);
  for (const [kind, message, signature] of signed) {
    differences.holds(`${name} ${kind} signature`, isSignedBy(hand.public_key, message, signature));
    differences.holds(`${name} ${kind} other bytes`, !isSignedBy(hand.public_key, message.slice(1), signature));
  }
}

function checkLog(differences: Differences, name: string, hand: HandVector): void {
  const leaves = hand.log_leaves.map(fromHex);
  const { commit_receipt: opened, sth } = hand;
  differences.same(`${name} commit root`, toHex(treeRoot(leaves.slice(0, opened.tree_size))), opened.root);
  differences.same(`${name} root`, toHex(treeRoot(leaves.slice(0, sth.tree_size))), sth.root);
  differences.holds(
    `${name} open leaf`,
    provesInclusion(
      leaves[hand.open_index] as Uint8Array,
      opened.leaf_index,
      opened.tree_size,
      opened.inclusion.map(fromHex),
      fromHex(opened.root),
    ),
  );
  differences.holds(
    `${name} close leaf`,
    provesInclusion(
      leaves[hand.close_index] as Uint8Array,
      hand.close_index,
      sth.tree_size,
      sth.inclusion_close.map(fromHex),
      fromHex(sth.root),
    ),
  );
  differences.holds(
    `${name} consistency`,
    provesConsistency(
      sth.consistency_from,
      fromHex(opened.root),
      sth.tree_size,
      fromHex(sth.root),
      sth.consistency.map(fromHex),
    ),
  );
}
