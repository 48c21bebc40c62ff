import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  // A machine that is busy with other work is no failure.
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 120_000 },
});
