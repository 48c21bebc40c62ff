/**
 * The server's time, as far as this device can know it.
 *
 * Counts on the monotone clock of the page, so a wrong or jumping device clock changes nothing. Each answered ping is a
 * sample whose error is at most half its round trip; the quickest recent one is believed.
 */

interface Sample {
  readonly offsetMs: number;
  readonly roundTripMs: number;
}

const SAMPLES_KEPT = 12;

export class ServerClock {
  readonly #monotoneMs: () => number;
  #samples: Sample[] = [];
  #offsetMs: number | null = null;

  constructor(monotoneMs: () => number) {
    this.#monotoneMs = monotoneMs;
  }

  /** Unix milliseconds by the server's clock; by the device's until the server has spoken once. */
  nowMs(): number {
    return this.#offsetMs === null ? Date.now() : this.#monotoneMs() + this.#offsetMs;
  }

  monotoneMs(): number {
    return this.#monotoneMs();
  }

  /** A request sent at `sentAt` (monotone) was answered just now with the server's time. */
  answered(sentAt: number, serverNowMs: number): void {
    const roundTripMs = Math.max(0, this.#monotoneMs() - sentAt);
    const offsetMs = serverNowMs + roundTripMs / 2 - this.#monotoneMs();
    this.#samples = [...this.#samples, { offsetMs, roundTripMs }].slice(-SAMPLES_KEPT);
    const best = this.#samples.reduce((one, other) => (other.roundTripMs < one.roundTripMs ? other : one));
    this.#offsetMs = best.offsetMs;
  }

  /** A message says what the server's time was when it left: ours can't be before that. */
  heard(serverNowMs: number): void {
    const least = serverNowMs - this.#monotoneMs();
    if (this.#offsetMs === null || this.#offsetMs < least) this.#offsetMs = least;
  }

  /** Forget what was measured: after a sleep the monotone clock of some devices has stood still. */
  doubt(): void {
    this.#samples = [];
    this.#offsetMs = null;
  }
}
