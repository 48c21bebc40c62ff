/**
 * Whether a signature holds, by the verifier's own code: the same answer in every browser, and without a network.
 * Ed25519: RFC 8032, without the looser rules that some verifiers allow.
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { fromHex, type Bytes } from "./encoding";

/** publicKey and signature as hex. */
export function isSignedBy(publicKey: string, message: Bytes, signature: string): boolean {
  try {
    return ed25519.verify(fromHex(signature), message, fromHex(publicKey), { zip215: false });
  } catch {
    // A public key or signature that is no point of the curve: nothing was signed with it.
    return false;
  }
}
