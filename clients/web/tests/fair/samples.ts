/** Hands from a rehearsed house, as `make_hand_files.py` wrote them. */

import { readFileSync } from "node:fs";
import { readKeyList, type KeyRing } from "../../src/fair/keys";

export interface Sample {
  readonly name: string;
  /** As anybody gets it. */
  readonly public: unknown;
  /** As one player gets it, with every receipt. */
  readonly own: unknown;
}

const stored = JSON.parse(readFileSync(new URL("hand_files.json", import.meta.url), "utf8")) as {
  keys: unknown;
  hands: Sample[];
};

export const SAMPLES: readonly Sample[] = stored.hands;
export const HOUSE_KEYS: KeyRing = readKeyList({ keys: stored.keys });

export function sample(name: string): Sample {
  const found = SAMPLES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no sample is called ${name}`);
  return found;
}
