/**
 * Keeps the client's own files at hand, so that a running table never misses a part of itself and the verifier opens
 * without a network. It stores what the build made, and nothing that the house says: no API answer, no hand.
 *
 * Pages come from the network first and from here only when there is none. A new version waits until no page of the
 * old one is open: a table keeps the files that it was started with, whatever is deployed meanwhile.
 */

/** Put in by build/offline_shell.ts: every file of this build, and a name for exactly these. */
declare const SHELL: { readonly version: string; readonly files: readonly string[] };

/** What this file uses of a worker: the types of a page and of a worker can't be had side by side. */
interface Worker {
  addEventListener(type: "install" | "activate", act: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(type: "fetch", act: (event: Fetch) => void): void;
}
interface Fetch {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

const OURS = "rummy-";
const CACHE = `${OURS}${SHELL.version}`;
const worker = globalThis as unknown as Worker;

worker.addEventListener("install", (event) => event.waitUntil(keepShell()));
worker.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    const page = pageAt(pathname);
    if (page !== null) event.respondWith(networkFirst(request, page));
  } else if (pathname.startsWith("/assets/") || SHELL.files.includes(pathname)) {
    event.respondWith(keptFirst(request));
  }
});

/** The page that stands in for an address without a network; null for what only the house can answer. */
function pageAt(pathname: string): string | null {
  if (pathname === "/verify.html") return pathname;
  return pathname === "/" || pathname === "/index.html" ? "/index.html" : null;
}

async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(SHELL.files);
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
}

async function networkFirst(request: Request, page: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(page);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** Hashed names never change their content; what the build does not list (fonts) is kept once somebody needed it. */
async function keptFirst(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok && new URL(request.url).pathname.startsWith("/assets/")) await cache.put(request.url, answer.clone());
  return answer;
}
