// A Vite plugin that folds a page's one script and one stylesheet into the page itself.
// The page then carries a policy that allows exactly these two (by hash) and no connection of any kind, so that a
// reader of the file can see that it sends nothing anywhere.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

type Bundle = Parameters<Extract<NonNullable<Plugin["generateBundle"]>, (...args: never[]) => unknown>>[1];

const SCRIPT_TAG = /<script type="module"[^>]*src="[^"]*"[^>]*><\/script>/;
const STYLE_TAG = /<link rel="stylesheet"[^>]*>/;

export function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle: { order: "post", handler: (_options, bundle) => foldIntoPage(bundle) },
  };
}

function foldIntoPage(bundle: Bundle): void {
  let script = "";
  let style = "";
  for (const [name, output] of Object.entries(bundle)) {
    if (output.type === "chunk") script += output.code;
    else if (name.endsWith(".css")) style += String(output.source);
    else continue;
    delete bundle[name];
  }
  script = script.trim().replaceAll("</script", "<\\/script");
  for (const output of Object.values(bundle)) {
    if (output.type === "asset" && output.fileName.endsWith(".html")) {
      output.source = page(String(output.source), script, style.trim());
    }
  }
}

function page(html: string, script: string, style: string): string {
  const policy =
    `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data:; font-src data:; ` +
    `base-uri 'none'; form-action 'none'`;
  return html
    .replace(SCRIPT_TAG, "")
    .replace(STYLE_TAG, () => `<style>${style}</style>`)
    .replace("<head>", () => `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace("</body>", () => `<script type="module">${script}</script>\n</body>`);
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;
}
