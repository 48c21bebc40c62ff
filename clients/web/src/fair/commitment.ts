/** The server's promise: the hash of a seed that it can no longer change. Source: FAIRNESS_SPEC section 4. */

import { hash, type Bytes } from "./encoding";

/** `C`, published before any player contributes. */
export function commitment(th: Bytes, serverSeed: Bytes): Bytes {
  return hash("commit", th, serverSeed);
}
