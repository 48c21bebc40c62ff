// Checks that run outside the test runner: the solver against a stream of solved hands under Node (check_solver), and
// vectors and timings inside a real browser (browser_checks). Nothing of this is part of the client.
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    outDir: "dist-checks",
    minify: false,
    rolldownOptions: {
      input: { check_solver: "tests/rummy/check_solver.ts", browser_checks: "tests/fair/browser_checks.ts" },
      platform: "neutral",
      external: /^node:/,
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
    },
  },
});
