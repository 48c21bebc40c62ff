// The operator's desk, built by itself and put beside the house's client: players load nothing of it, not even a chunk
// that was cut differently because the desk shares a module with the table.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { apartHashes } from "./build/apart_hashes.ts";
import { splitLanguages } from "./build/split_languages.ts";

export default defineConfig({
  plugins: [splitLanguages(), apartHashes(), svelte()],
  publicDir: false,
  build: {
    target: "es2022",
    // Beside what the house's own build has just put there.
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { desk: "desk.html" },
      // What two pages share comes in one chunk, not in one a word.
      output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] } },
    },
  },
});
