/** What a page reads from the house: once, again, or part by part. Only the newest question's answer counts. */

import { untrack } from "svelte";
import { read } from "./desk.svelte";
import { problemWords } from "./problems";

export class Reading<T> {
  value = $state.raw<T | null>(null);
  problem = $state<string | null>(null);
  busy = $state(false);
  #newest = 0;

  /** The answer before stays on the screen until the next is there, and when it can't be had. */
  async ask(question: () => Promise<T>): Promise<void> {
    this.#newest += 1;
    const mine = this.#newest;
    this.busy = true;
    try {
      const answer = await read(question);
      if (mine !== this.#newest) return;
      this.value = answer;
      this.problem = null;
    } catch (error) {
      if (mine === this.#newest) this.problem = problemWords(error);
    } finally {
      if (mine === this.#newest) this.busy = false;
    }
  }
}

/** A part of a list, and where the next begins; null when nothing follows. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export class Listing<Row> {
  readonly #reading = new Reading<Part<Row>>();
  readonly #ask: (before: string | null) => Promise<Part<Row>>;

  constructor(ask: (before: string | null) => Promise<Part<Row>>) {
    this.#ask = ask;
  }

  get rows(): readonly Row[] | null {
    return this.#reading.value?.rows ?? null;
  }

  get next(): string | null {
    return this.#reading.value?.next ?? null;
  }

  get problem(): string | null {
    return this.#reading.problem;
  }

  get busy(): boolean {
    return this.#reading.busy;
  }

  /** From the first row on. In an effect it is called again whenever something changes that the question names. */
  begin(): void {
    const first = this.#ask(null);
    untrack(() => void this.#reading.ask(() => first));
  }

  more(): void {
    const before = this.rows ?? [];
    const more = this.#ask(this.next);
    void this.#reading.ask(async () => {
      const { rows, next } = await more;
      return { rows: [...before, ...rows], next };
    });
  }
}
