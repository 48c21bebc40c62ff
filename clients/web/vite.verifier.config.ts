// The verifier as one file that needs nothing else: no server, no network, not even a second file beside it.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { oneFile } from "./build/one_file.ts";
import { allLanguagesInside } from "./build/split_languages.ts";

export default defineConfig({
  plugins: [allLanguagesInside(), svelte(), oneFile()],
  publicDir: false,
  base: "./",
  build: {
    target: "es2022",
    outDir: "dist-verifier",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: "verify.html", output: { codeSplitting: false } },
  },
});
