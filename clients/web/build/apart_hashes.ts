// A Vite plugin that gives the curve its own copy of the hash library. The table needs SHA-256 alone, the curve SHA-512;
// a module is never cut in two, so with one copy every table would load both.
import type { Plugin } from "vite";

export function apartHashes(): Plugin {
  return {
    name: "apart-hashes",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!source.startsWith("@noble/hashes/") || importer?.includes("/@noble/curves/") !== true) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found === null ? null : { ...found, id: `${found.id}?for=curves` };
    },
  };
}
