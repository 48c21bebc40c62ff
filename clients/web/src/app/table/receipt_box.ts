/** The signed receipts of a player's newest hands, kept on this device in the form in which they can be checked alone. */

export interface KeptHand {
  readonly handId: string;
  readonly tableId: string;
  readonly seat: number;
  /** Own part in the shuffle: hex, and the text as typed. Kept before its hash is sent, so that a reload can open it. */
  readonly nonce: string;
  readonly text: string;
  readonly hash: string;
  readonly receipts: readonly Readonly<Record<string, unknown>>[];
}

const KEY = "rummy.receipts";
const LOG_HEAD_KEY = "rummy.log_head";
const HANDS_KEPT = 30;

export interface LogHead {
  readonly size: number;
  readonly root: string;
}

export class ReceiptBox {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  all(): readonly KeptHand[] {
    return this.#read<readonly KeptHand[]>(KEY) ?? [];
  }

  find(handId: string): KeptHand | null {
    return this.all().find((hand) => hand.handId === handId) ?? null;
  }

  /** Put a hand in, newest last; the oldest leave. False when this device keeps nothing. */
  put(hand: KeptHand): boolean {
    return this.#write(KEY, [...this.all().filter((one) => one.handId !== hand.handId), hand].slice(-HANDS_KEPT));
  }

  /** Of state receipts only the newest is worth keeping: it covers all before it. */
  addReceipt(handId: string, kind: string, receipt: Readonly<Record<string, unknown>>): void {
    const hand = this.find(handId);
    if (hand === null) return;
    const kept = hand.receipts.filter((one) => one["receipt"] !== kind);
    this.put({ ...hand, receipts: [...kept, receipt] });
  }

  logHead(): LogHead | null {
    return this.#read<LogHead>(LOG_HEAD_KEY);
  }

  keepLogHead(head: LogHead): void {
    this.#write(LOG_HEAD_KEY, head);
  }

  #read<T>(key: string): T | null {
    try {
      return JSON.parse(this.#storage.getItem(key) ?? "null") as T | null;
    } catch {
      return null;
    }
  }

  #write(key: string, value: unknown): boolean {
    try {
      this.#storage.setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}
