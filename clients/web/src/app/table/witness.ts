/**
 * This player's own part in the fairness of every hand: check the seal, give a part, open it only when it stands in
 * the signed list, hold every receipt against what was seen, keep the receipts (FAIRNESS_SPEC sections 5 and 11).
 */

import type { Player, Receipt, Table } from "../../generated/protocol";
import { contributionHash, readText } from "../../fair/contributions";
import { fromHex, toHex, type Bytes } from "../../fair/encoding";
import { contributionMessage, hashesMessage, stateMessage } from "../../fair/receipts";
import { provesConsistency } from "../../fair/merkle";
import { fairnessKeys, logConsistency } from "../http";
import type { Answer, Wish } from "../net/connection";
import { settings } from "../settings.svelte";
import { HouseKeys } from "./house_keys";
import { OwnChain } from "./own_chain";
import { ReceiptBox, type KeptHand } from "./receipt_box";
import { checkCommit, holdsHash, plainId, type CommitReceipt, type Problem } from "./sealed_terms";
import { verdicts, type Verdict } from "./verdicts.svelte";

interface Hand {
  readonly handId: string;
  readonly th: Bytes;
  readonly seat: number;
  readonly chain: OwnChain;
  list: string | null;
}

type ReceiptFields = Readonly<Record<string, unknown>>;
type Ask = (wish: Wish) => Promise<Answer>;

const HANDS_FOLLOWED = 8;

export class Witness {
  readonly #ask: Ask;
  readonly #box = new ReceiptBox(localStorage);
  readonly #hands = new Map<string, Hand>();
  readonly #keys = new HouseKeys(fairnessKeys);
  #queue: Promise<void> = Promise.resolve();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Receipts are dealt with one after the other: what a later one means depends on the earlier ones. */
  receive(message: Receipt, table: Table | null, player: Player | null): Promise<void> {
    if (player === null) return Promise.resolve();
    return this.#next(() => this.#take(message, table, player));
  }

  /** What the table has just shown, for the own chain. */
  see(table: Table): void {
    void this.#next(async () => this.#followTable(table));
  }

  #followTable({ public: { hand }, events, you }: Table): void {
    if (hand === null || events.length === 0) return;
    this.#hands.get(hand.hand_id)?.chain.follow(events, you?.cards ?? [], you?.drawn_card ?? null);
  }

  #next(work: () => Promise<unknown>): Promise<void> {
    this.#queue = this.#queue.then(work).then(
      () => undefined,
      (error: unknown) => console.error("a receipt could not be dealt with", error),
    );
    return this.#queue;
  }

  async #take(message: Receipt, table: Table | null, player: Player): Promise<void> {
    const hand = this.#hands.get(message.hand_id);
    this.#box.addReceipt(message.hand_id, message.kind, message.receipt);
    switch (message.kind) {
      case "commit":
        if (hand === undefined && table !== null) {
          await this.#takeCommit(message, table, player);
          // A page loaded in the middle of a hand was shown the hand so far before this receipt.
          this.#followTable(table);
        }
        return;
      case "hashes":
        if (hand !== undefined) await this.#takeHashes(hand, message);
        return;
      case "contribution":
      case "reveal":
      case "state":
        if (hand !== undefined) await this.#checkReceipt(hand, message.kind, message.receipt);
    }
  }

  async #takeCommit(message: Receipt, table: Table, player: Player): Promise<void> {
    this.#say(message.hand_id, "checking");
    const receipt = message.receipt as unknown as CommitReceipt;
    const checked = await checkCommit(receipt, message.hand_id, player.player_id, table.public.table, this.#keys);
    if (checked.problem !== null) return this.#say(message.hand_id, "problem", checked.problem);
    if (!(await this.#followsLog(receipt))) return this.#say(message.hand_id, "problem", "fork");
    const { th, seat } = checked;
    const chain = new OwnChain(th, fromHex(receipt.commitment), seat, plainId(player.player_id));
    this.#follow({ handId: message.hand_id, th, seat, chain, list: null });
    const kept = this.#box.find(message.hand_id);
    const own = kept ?? this.#newPart(message, th, seat);
    const answer = await this.#ask({
      type: "contribute",
      table_id: message.table_id,
      hand_id: message.hand_id,
      hash: own.hash,
    });
    if (answer.type === "ack") return;
    // A part of before a reload stands in the closed list or does not: the list comes next and decides.
    if (kept !== null && isAccepted(kept)) return;
    const isIn = table.public.seats.find((one) => one.seat === seat)?.contribution === "given";
    this.#say(message.hand_id, isIn ? "elsewhere" : "partial");
  }

  #newPart(message: Receipt, th: Bytes, seat: number): KeptHand {
    const nonce = crypto.getRandomValues(new Uint8Array(32));
    const text = settings.seedText.normalize("NFC");
    const bytes = new TextEncoder().encode(text);
    const usable = readText(bytes) === null ? new Uint8Array(0) : bytes;
    const kept: KeptHand = {
      handId: message.hand_id,
      tableId: message.table_id,
      seat,
      nonce: toHex(nonce),
      text: usable.length === 0 ? "" : text,
      hash: toHex(contributionHash(th, seat, nonce, usable)),
      receipts: [message.receipt],
    };
    this.#box.put(kept);
    this.#parts.set(message.hand_id, kept);
    return kept;
  }

  /** Own parts of this page's hands: storage may be full or forbidden. */
  readonly #parts = new Map<string, KeptHand>();

  async #takeHashes(hand: Hand, message: Receipt): Promise<void> {
    const { receipt } = message;
    const list = String(receipt["hashes"]);
    if (hand.list !== null && hand.list !== list) return this.#say(hand.handId, "problem", "two_lists");
    const own = this.#parts.get(hand.handId) ?? this.#box.find(hand.handId);
    const signed = { hashes: list, at_ms: Number(receipt["at_ms"]) };
    if (!(await this.#isSigned(hashesMessage(hand.th, signed), receipt))) {
      return this.#say(hand.handId, "problem", "signature");
    }
    const first = hand.list === null;
    hand.list = list;
    if (own === null || own === undefined || !first) return;
    if (!holdsHash(fromHex(list), hand.seat, fromHex(own.hash))) {
      // The part of another device stands there: nothing of this one was ever accepted, so nothing is missing.
      if (verdicts.of(hand.handId)?.state === "elsewhere") return;
      return isAccepted(own) ? this.#say(hand.handId, "problem", "list") : this.#say(hand.handId, "partial");
    }
    const answer = await this.#ask({
      type: "reveal",
      table_id: message.table_id,
      hand_id: message.hand_id,
      nonce: own.nonce,
      text: own.text,
    });
    const isIn = answer.type === "ack" || (await this.#isOpened(hand, own));
    this.#say(hand.handId, isIn ? "sealed" : "partial");
  }

  /** Whether the house signed, before this page was loaded, that it took the opening of the own part. */
  async #isOpened(hand: Hand, own: KeptHand): Promise<boolean> {
    const receipt = this.#box.find(hand.handId)?.receipts.find((one) => one["receipt"] === "reveal");
    if (receipt === undefined || receipt["hash"] !== own.hash || receipt["seat"] !== hand.seat) return false;
    const signed = receipt as unknown as Parameters<typeof contributionMessage>[2];
    return this.#isSigned(contributionMessage("reveal", hand.th, signed), receipt);
  }

  async #checkReceipt(hand: Hand, kind: "contribution" | "reveal" | "state", receipt: ReceiptFields): Promise<void> {
    const message =
      kind === "state"
        ? stateMessage(hand.th, receipt as unknown as Parameters<typeof stateMessage>[1])
        : contributionMessage(kind, hand.th, receipt as unknown as Parameters<typeof contributionMessage>[2]);
    if (!(await this.#isSigned(message, receipt))) return this.#say(hand.handId, "problem", "signature");
    if (kind !== "state") return;
    const agrees = hand.chain.agrees(Number(receipt["k"]), String(receipt["head"]), String(receipt["seat_head"]));
    if (agrees === false) this.#say(hand.handId, "problem", "chain");
  }

  #isSigned(message: Bytes, receipt: ReceiptFields): Promise<boolean> {
    return this.#keys.haveSigned(message, {
      at_ms: Number(receipt["at_ms"]),
      signature: String(receipt["signature"]),
    });
  }

  /** Whether the log that this commitment stands in begins with the log seen last. Unreachable proofs prove nothing. */
  async #followsLog(receipt: CommitReceipt): Promise<boolean> {
    const seen = this.#box.logHead();
    const now = { size: receipt.tree_size, root: receipt.root };
    if (seen !== null && seen.size > now.size) return true;
    if (seen !== null && seen.size > 0) {
      const proof = await logConsistency(seen.size, now.size).catch(() => null);
      if (proof === null) return true;
      const nodes = proof.map(fromHex);
      if (!provesConsistency(seen.size, fromHex(seen.root), now.size, fromHex(now.root), nodes)) return false;
    }
    this.#box.keepLogHead(now);
    return true;
  }

  #follow(hand: Hand): void {
    this.#hands.set(hand.handId, hand);
    for (const oldest of this.#hands.keys()) {
      if (this.#hands.size <= HANDS_FOLLOWED) return;
      this.#hands.delete(oldest);
      this.#parts.delete(oldest);
    }
  }

  #say(handId: string, state: Verdict["state"], problem: Problem | null = null): void {
    verdicts.say(handId, { state, problem });
  }
}

function isAccepted(hand: KeptHand): boolean {
  return hand.receipts.some((one) => one["receipt"] === "contribution");
}
