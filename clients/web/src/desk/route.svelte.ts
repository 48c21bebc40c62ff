/** Where at the desk somebody is: page, thing and filters in the part of the address after the hash, so that every view is a link. */

/** Pages about everything of their kind. */
const PLAIN_PAGES = ["today", "settlements", "players", "tables", "adjustments", "integrity", "audit", "reports"] as const;
/** Pages about one thing, named by its id: `#/hand/<id>`. */
const PAGES_OF_ONE = ["hand", "player", "table", "signal", "case", "report"] as const;

export type PlainPage = (typeof PLAIN_PAGES)[number];
export type PageOfOne = (typeof PAGES_OF_ONE)[number];
export type Page = PlainPage | PageOfOne;
export type Query = Readonly<Record<string, string>>;

export type Route =
  | { readonly page: PlainPage; readonly id: null; readonly query: Query }
  | { readonly page: PageOfOne; readonly id: string; readonly query: Query };

/** The chapter of the menu that a page belongs to. */
export const CHAPTER_OF: Readonly<Record<PageOfOne, PlainPage>> = {
  hand: "settlements",
  player: "players",
  table: "tables",
  signal: "integrity",
  case: "integrity",
  report: "reports",
};

export function readRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first = "", id = ""] = path.split("/");
  const query = Object.fromEntries(new URLSearchParams(search));
  const ofOne = PAGES_OF_ONE.find((one) => one === first);
  if (ofOne !== undefined && id !== "") return { page: ofOne, id: decodeURIComponent(id), query };
  return { page: PLAIN_PAGES.find((one) => one === first) ?? "today", id: null, query };
}

/** Empty values are left out: they filter nothing. */
export function searchOf(query: Query): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return search === "" ? "" : `?${search}`;
}

export function toPage(page: PlainPage, query: Query = {}): string {
  return `#/${page}${searchOf(query)}`;
}

export function toOne(page: PageOfOne, id: string): string {
  return `#/${page}/${encodeURIComponent(id)}`;
}

class Router {
  route = $state.raw<Route>(readRoute(location.hash));

  constructor() {
    addEventListener("hashchange", () => {
      this.route = readRoute(location.hash);
    });
  }

  /** Other filters of the same page: one step back leads to the page before, not through every filter. */
  filter(query: Query): void {
    const { page, id } = this.route;
    history.replaceState(null, "", id === null ? toPage(page, query) : `${toOne(page, id)}${searchOf(query)}`);
    this.route = readRoute(location.hash);
  }
}

export const router = new Router();
