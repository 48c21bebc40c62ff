/** What a browser test imports to run the verifier's own checks inside the browser. */

import { readKeyList } from "../../src/fair/keys";
import { verifyHand } from "../../src/fair/verify";

export { checkVectors } from "./vector_checks";

export interface Timing {
  /** The first failing step, null when everything matches. */
  readonly failed: string | null;
  /** Milliseconds of each run, the first one cold. */
  readonly runs: readonly number[];
}

/** Verifies a hand file over and over; keys as the house publishes them. */
export function timeVerification(file: unknown, keys: unknown, rounds: number): Timing {
  const ring = readKeyList({ keys });
  let failed: string | null = null;
  const runs = Array.from({ length: rounds }, () => {
    const before = performance.now();
    failed = verifyHand(file, ring).failed?.id ?? null;
    return performance.now() - before;
  });
  return { failed, runs };
}
