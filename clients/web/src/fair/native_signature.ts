/**
 * Whether a signature holds, by the browser's own Ed25519. Where it has none (older browsers, plain-http addresses),
 * the verifier's code is fetched instead: a table does not load a curve that it rarely needs.
 */

import { fromHex, type Bytes } from "./encoding";

/** publicKey and signature as hex. Rejects when the verifier's code is needed and can't be fetched. */
export async function isSignedBySomehow(publicKey: string, message: Bytes, signature: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey("raw", plain(fromHex(publicKey)), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, plain(fromHex(signature)), plain(message));
  } catch {
    const { isSignedBy } = await import("./signature");
    return isSignedBy(publicKey, message, signature);
  }
}

/** Web cryptography takes no bytes that other threads could change: it is given a copy of its own. */
function plain(bytes: Bytes): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
