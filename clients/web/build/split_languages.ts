// A Vite plugin that gives a page one language instead of all: English stays where it is used, the others become
// catalogues of their own, fetched for whoever speaks them (src/app/catalogues.svelte.ts).
//
// The message compiler writes one module a message, with the words of every language in it. Here each of them keeps
// English and asks the loaded catalogue first; `?only=bn` asks for the words of one language alone.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const MESSAGE = /\/paraglide\/messages\/(\w+)\.js(?:\?only=(\w+))?$/;
const CATALOGUE = /^virtual:catalogue\/(\w+)\/(table|pages|verify|desk)$/;
/** Words that no table shows at first: fetched with the pages and the seldom things (src/app/seldom.ts) that do. */
const NAMES_OF_PAGES = [
  "account_",
  "chat_(?!title|unread)",
  "cop(?:y|ied)",
  "fairness_",
  "filter_",
  "format_",
  "hands_",
  "history",
  "host_",
  "invite_",
  "limits_",
  "lobby_",
  "match_",
  "notice_",
  "outcome_",
  "private_",
  "quick_",
  "reason_",
  "replay_",
  "result_",
  "rule_(?!bank)",
  "rules_",
  "seed_(?:title|text|label|counts|too_long)",
  "settings_",
  "signin_",
  "spectators",
  "statement_",
  "waiting_",
];
const OF_PAGES = new RegExp(`^(?:${NAMES_OF_PAGES.join("|")})`);
const BASE = "en";

export function splitLanguages(): Plugin {
  let root = "";
  return {
    name: "split-languages",
    enforce: "pre",
    configResolved: (config) => void (root = config.root),
    resolveId: (id) => (CATALOGUE.test(id) ? `\0${id}` : null),
    load(id) {
      const [, locale, part] = CATALOGUE.exec(id.slice(1)) ?? [];
      if (locale === undefined || part === undefined) return null;
      const folder = join(root, "src/paraglide/messages");
      return messageNames(folder)
        .filter((name) => partOf(name) === part)
        .map((name) => `export { ${name} } from ${JSON.stringify(`${folder}/${name}.js?only=${locale}`)};`)
        .join("\n");
    },
    transform(code, id) {
      const [, name, only] = MESSAGE.exec(id) ?? [];
      if (name === undefined || name === "_index") return null;
      const words = (locale: string): string => declarationOf(code, `${locale}_${name}`, id);
      const imports = code.includes("registry.") ? `import * as registry from "../registry.js";\n` : "";
      if (only !== undefined) return `${imports}${words(only)}\nexport { ${only}_${name} as ${name} };`;
      return [
        imports,
        `import { wordsOf } from "/src/app/catalogues.svelte.ts";`,
        words(BASE),
        `export const ${name} = (inputs = {}) => (wordsOf(${JSON.stringify(name)}) ?? ${BASE}_${name})(inputs);`,
      ].join("\n");
    },
  };
}

function partOf(name: string): "table" | "pages" | "verify" | "desk" {
  if (name.startsWith("verify_")) return "verify";
  if (name.startsWith("desk_")) return "desk";
  return OF_PAGES.test(name) ? "pages" : "table";
}

function messageNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".js") && !file.startsWith("_"))
    .map((file) => file.slice(0, -3));
}

/** `const <name> = ...;` as the compiler wrote it, up to the next declaration or comment at the margin. */
function declarationOf(code: string, name: string, id: string): string {
  const found = new RegExp(`^const ${name} = [^]*?(?=^const |^/\\*\\*|^export )`, "m").exec(code);
  if (found === null) throw new Error(`${id}: the message compiler writes no ${name} any more`);
  return found[0];
}

/** For a page that must carry every language in itself: messages stay as they are, and no catalogue has anything to add. */
export function allLanguagesInside(): Plugin {
  return {
    name: "all-languages-inside",
    resolveId: (id) => (CATALOGUE.test(id) ? `\0${id}` : null),
    load: (id) => (CATALOGUE.test(id.slice(1)) ? "export {};" : null),
  };
}
