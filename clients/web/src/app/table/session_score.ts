/** The running score of one table since this person sat down, kept for as long as the browser's tab lives. */

import type { ResultView } from "../../generated/protocol";

export interface ScoreLine {
  readonly playerId: string;
  readonly name: string;
  readonly hands: number;
  readonly points: number;
  readonly delta: number;
}

interface Kept {
  readonly handIds: readonly string[];
  readonly lines: readonly ScoreLine[];
}

const HANDS_REMEMBERED = 500;
const EMPTY: Kept = { handIds: [], lines: [] };

export class SessionScore {
  readonly #storage: Storage;
  readonly #key: string;

  constructor(storage: Storage, tableId: string) {
    this.#storage = storage;
    this.#key = `rummy.score.${tableId}`;
  }

  lines(): readonly ScoreLine[] {
    return this.#load().lines;
  }

  /** Counts a result once, however often it is shown. */
  add(result: ResultView): readonly ScoreLine[] {
    const kept = this.#load();
    if (result.outcome === "void" || kept.handIds.includes(result.hand_id)) return kept.lines;
    const lines = result.lines.reduce<readonly ScoreLine[]>((all, line) => {
      const before = all.find((one) => one.playerId === line.player.player_id);
      const after: ScoreLine = {
        playerId: line.player.player_id,
        name: line.player.name,
        hands: (before?.hands ?? 0) + 1,
        points: (before?.points ?? 0) + line.points,
        delta: (before?.delta ?? 0) + line.delta,
      };
      return [...all.filter((one) => one.playerId !== after.playerId), after];
    }, kept.lines);
    this.#save({ handIds: [...kept.handIds, result.hand_id].slice(-HANDS_REMEMBERED), lines });
    return lines;
  }

  #load(): Kept {
    try {
      return (JSON.parse(this.#storage.getItem(this.#key) ?? "null") as Kept | null) ?? EMPTY;
    } catch {
      return EMPTY;
    }
  }

  #save(kept: Kept): void {
    try {
      this.#storage.setItem(this.#key, JSON.stringify(kept));
    } catch {
      // Without storage the score starts again with the next hand.
    }
  }
}
