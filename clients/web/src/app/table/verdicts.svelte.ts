/** What this player's witness found out about the shuffles of the newest hands, for the screen. */

import type { Problem } from "./sealed_terms";

export interface Verdict {
  /** checking: the seal is being looked at; sealed: own part given; partial: the hand goes on without it;
      elsewhere: the house says that a part of this player is in it, but this device did not give it. */
  readonly state: "checking" | "sealed" | "elsewhere" | "partial" | "problem";
  readonly problem: Problem | null;
}

const HANDS_SHOWN = 8;

class Verdicts {
  #byHand = $state.raw<ReadonlyMap<string, Verdict>>(new Map());

  of(handId: string | null | undefined): Verdict | null {
    return this.#byHand.get(handId ?? "") ?? null;
  }

  /** A problem stands, whatever is found after it. */
  say(handId: string, verdict: Verdict): void {
    if (this.#byHand.get(handId)?.state === "problem") return;
    const rest = [...this.#byHand].filter(([id]) => id !== handId).slice(1 - HANDS_SHOWN);
    this.#byHand = new Map([...rest, [handId, verdict]]);
  }
}

export const verdicts = new Verdicts();
