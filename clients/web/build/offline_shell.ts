// A Vite plugin that tells the service worker which files this build made, and names exactly these by their hash.
// Fonts are left to whoever needs them: they are larger than everything else together.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

export const WORKER = "service_worker";
export const WORKER_FILE = "service-worker.js";
const FONT = /\.woff2?$/;

export function offlineShell(): Plugin {
  let publicDir = "";
  return {
    name: "offline-shell",
    enforce: "post",
    apply: "build",
    configResolved: (config) => void (publicDir = config.publicDir),
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const worker = bundle[WORKER_FILE];
        if (worker?.type !== "chunk") throw new Error(`the build makes no ${WORKER_FILE}`);
        if (worker.imports.length > 0) throw new Error(`${WORKER_FILE} must stand alone; it imports ${worker.imports.join(", ")}`);
        const hash = createHash("sha256").update(worker.code);
        const made = Object.values(bundle).filter((output) => output !== worker && !FONT.test(output.fileName));
        for (const output of made) hash.update(output.type === "chunk" ? output.code : output.source);
        const still = readdirSync(publicDir);
        for (const file of still) hash.update(readFileSync(join(publicDir, file)));
        const files = [...made.map((output) => output.fileName), ...still].map((name) => `/${name}`).sort();
        const shell = JSON.stringify({ version: hash.digest("hex").slice(0, 16), files });
        worker.code = `(() => {\nconst SHELL = ${shell};\n${worker.code}\n})();\n`;
      },
    },
  };
}
