/** Whole hands of every ending, right answers for both verifiers: tests/vectors/hand_files.json. */

import type { KeyRing } from "../../src/fair/key_ring";
import { readKeyList } from "../../src/fair/keys";
import { readVector } from "../vectors";

export interface Sample {
  readonly name: string;
  readonly about: string;
  /** As anybody gets it. */
  readonly public: unknown;
  /** As one player has it, with every receipt. */
  readonly own: unknown;
}

const stored = readVector("hand_files.json") as { keys: unknown; hands: Sample[] };

export const SAMPLES: readonly Sample[] = stored.hands;
export const HOUSE_KEYS: KeyRing = readKeyList({ keys: stored.keys });

export function sample(name: string): Sample {
  const found = SAMPLES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no sample is called ${name}`);
  return found;
}
