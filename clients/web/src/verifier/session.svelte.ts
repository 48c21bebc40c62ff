/** What the page has been given so far, and what came out of checking it. */

import { ReceiptBox } from "../app/table/receipt_box";
import { Malformed } from "../fair/json_form";
import { readKeptReceipt, type KeptReceipt } from "../fair/kept_receipt";
import type { KeyRing } from "../fair/key_ring";
import { verifyHand, type Verification } from "../fair/verify";
import * as m from "../paraglide/messages";
import { fetchHand, fetchKeys, handInAddress, hasHouse, readGiven, readHandId } from "./source";

/** Something that could not be taken, and whose it was: the name of a file, or null. */
export interface Notice {
  readonly name: string | null;
  readonly words: () => string;
}

export type KeysFrom = "house" | "given" | "file";

export class Session {
  readonly hasHouse: boolean;
  hand = $state.raw<unknown>(null);
  verification = $state.raw<Verification | null>(null);
  receipts = $state.raw<readonly KeptReceipt[]>([]);
  notices = $state.raw<readonly Notice[]>([]);
  busy = $state(false);
  #houseKeys = $state.raw<KeyRing | null>(null);
  #givenKeys = $state.raw<KeyRing | null>(null);

  constructor(protocol: string) {
    this.hasHouse = hasHouse(protocol);
  }

  /** Keys that somebody gave go before those of the house behind this page, and these before the file's own. */
  get keysFrom(): KeysFrom {
    if (this.#givenKeys !== null) return "given";
    return this.#houseKeys === null ? "file" : "house";
  }

  get ring(): KeyRing {
    return this.#givenKeys ?? this.#houseKeys ?? this.verification?.file?.keys ?? [];
  }

  /** Asks the house for its keys, and for the hand that the address names. */
  async begin(fragment: string): Promise<void> {
    if (!this.hasHouse) return;
    const handId = handInAddress(fragment);
    if (handId !== null) await this.get(handId);
    else await this.#askForKeys();
  }

  /** A hand that the house still has, with the receipts that this device kept of it. */
  readonly get = async (handId: string): Promise<void> => {
    this.notices = [];
    this.busy = true;
    const [hand] = await Promise.all([fetchHand(handId), this.#askForKeys()]);
    this.busy = false;
    if (hand.state !== "got") {
      const words = hand.state === "missing" ? m.verify_source_no_hand : m.verify_source_no_house;
      this.notices = [{ name: null, words }];
      this.#forget();
      return;
    }
    this.hand = hand.value;
    this.receipts = keptReceipts(handId);
    await this.#check();
  };

  /** Texts that were dropped, chosen or pasted: a hand takes the place of the one before, receipts and keys add up. */
  readonly take = async (texts: readonly { name: string; text: string }[]): Promise<void> => {
    this.notices = [];
    let isNew = false;
    for (const { name, text } of texts) {
      const given = readGiven(text);
      if (given.kind === "hand") {
        this.hand = given.file;
        isNew = true;
      } else if (given.kind === "keys") this.#givenKeys = given.keys;
      else if (given.kind === "receipts") this.#addReceipts(given.receipts);
      else this.#refuse(name, given.kind === "unreadable" ? () => given.words : m.verify_source_unknown);
    }
    // A verdict beside what could not be read would pass for the verdict on that.
    if (!isNew && this.notices.length > 0) this.#forget();
    else if (this.hand !== null) await this.#check();
  };

  #forget(): void {
    this.hand = null;
    this.verification = null;
  }

  async #check(): Promise<void> {
    this.busy = true;
    // The page says that it is at work before the work holds it up.
    await new Promise((resolve) => setTimeout(resolve));
    this.verification = verifyHand(this.hand, this.#givenKeys ?? this.#houseKeys);
    this.busy = false;
  }

  async #askForKeys(): Promise<void> {
    if (this.#houseKeys !== null) return;
    const keys = await fetchKeys();
    if (keys.state === "got") this.#houseKeys = keys.value;
  }

  #addReceipts(receipts: readonly KeptReceipt[]): void {
    const known = new Set(this.receipts.map((receipt) => receipt.signature));
    this.receipts = [...this.receipts, ...receipts.filter((receipt) => !known.has(receipt.signature))];
  }

  #refuse(name: string, words: () => string): void {
    this.notices = [...this.notices, { name, words }];
  }
}

/** What the table's page kept of a hand on this device; what can't be read is left out. */
function keptReceipts(handId: string): KeptReceipt[] {
  const kept = new ReceiptBox(localStorage).all().find((hand) => readHandId(hand.handId) === handId);
  return (kept?.receipts ?? []).flatMap((receipt) => {
    try {
      return [readKeptReceipt(receipt)];
    } catch (error) {
      if (error instanceof Malformed) return [];
      throw error;
    }
  });
}
