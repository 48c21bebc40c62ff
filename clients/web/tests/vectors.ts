/** The right answers that Python and TypeScript share: tests/vectors/ at the top of the repository. */

import { readFileSync } from "node:fs";

export function readVector(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}`, import.meta.url), "utf8"));
}
