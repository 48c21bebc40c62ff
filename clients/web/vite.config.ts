// The served client: the house (index.html) and the verifier's page (verify.html), with their assets beside them.
// Nothing is inlined into the pages, so that a policy without unsafe-inline holds.
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { apartHashes } from "./build/apart_hashes.ts";
import { WORKER, WORKER_FILE, offlineShell } from "./build/offline_shell.ts";
import { splitLanguages } from "./build/split_languages.ts";

export default defineConfig({
  plugins: [
    // The words come from messages/*.json; which language is shown is the app's setting, so no strategy of its own.
    paraglideVitePlugin({ project: "./project.inlang", outdir: "./src/paraglide", strategy: ["baseLocale"] }),
    splitLanguages(),
    apartHashes(),
    svelte(),
    offlineShell(),
  ],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { house: "index.html", verify: "verify.html", [WORKER]: "src/pwa/service_worker.ts" },
      output: { entryFileNames: ({ name }) => (name === WORKER ? WORKER_FILE : "assets/[name]-[hash].js") },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/ws": { target: "ws://127.0.0.1:8000", ws: true } } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
