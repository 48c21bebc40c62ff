/** The house's published keys as the table's page knows them, and whether one of them signed something. */

import type { Bytes } from "../../fair/encoding";
import { Malformed } from "../../fair/json_form";
import { isValidAt, keyStatement, parseKeyList, type KeyRing } from "../../fair/key_ring";
import { isSignedBySomehow } from "../../fair/native_signature";

export interface Signed {
  readonly at_ms: number;
  readonly signature: string;
}

export class HouseKeys {
  readonly #fetch: () => Promise<unknown>;
  #ring: KeyRing = [];

  /** fetch: the published list, as it came. */
  constructor(fetch: () => Promise<unknown>) {
    this.#fetch = fetch;
  }

  /** Whether a key of the house that was valid then signed these bytes. Rejects when the keys can't be had. */
  async haveSigned(message: Bytes, signed: Signed): Promise<boolean> {
    for (const key of await this.#validAt(signed.at_ms)) {
      if (await isSignedBySomehow(key.public_key, message, signed.signature)) return true;
    }
    return false;
  }

  /** Asked for again only when none of the known keys was valid at that time. */
  async #validAt(at_ms: number): Promise<KeyRing> {
    if (!this.#ring.some((key) => isValidAt(key, at_ms))) this.#ring = await this.#published();
    return this.#ring.filter((key) => isValidAt(key, at_ms));
  }

  async #published(): Promise<KeyRing> {
    const ring = parseKeyList(await this.#fetch());
    for (const key of ring) {
      if (!(await isSignedBySomehow(key.public_key, keyStatement(key), key.signature))) {
        throw new Malformed(`the key ${key.key_id} has not signed its days of validity`);
      }
    }
    return ring;
  }
}
