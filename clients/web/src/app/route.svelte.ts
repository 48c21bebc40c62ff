/** Where in the house the person is: the part of the address after the hash, so that any static server serves it. */

/** Pages that are about nothing but themselves: `#/lobby`. */
const PLAIN_PAGES = [
  "lobby",
  "open",
  "statement",
  "hands",
  "limits",
  "rules",
  "fairness",
  "account",
  "settings",
] as const;
/** Pages about one thing, named by its id: `#/table/<id>`. */
const PAGES_OF_ONE = ["table", "replay", "join"] as const;

export type PlainPage = (typeof PLAIN_PAGES)[number];
export type PageOfOne = (typeof PAGES_OF_ONE)[number];
export type Page = PlainPage | PageOfOne;

export type Route =
  | { readonly page: PlainPage; readonly id: null }
  | { readonly page: PageOfOne; readonly id: string };

export function readRoute(hash: string): Route {
  const [first = "", id = ""] = hash.replace(/^#\/?/, "").split("/");
  const ofOne = PAGES_OF_ONE.find((one) => one === first);
  if (ofOne !== undefined && id !== "") return { page: ofOne, id };
  const plain = PLAIN_PAGES.find((one) => one === first);
  if (plain !== undefined) return { page: plain, id: null };
  return { page: "lobby", id: null };
}

export function addressOf(page: Page, id?: string): string {
  return id === undefined ? `#/${page}` : `#/${page}/${id}`;
}

class Router {
  route = $state.raw<Route>(readRoute(location.hash));

  constructor() {
    addEventListener("hashchange", () => {
      this.route = readRoute(location.hash);
    });
  }

  /** The table that is on the screen, if one is. */
  get tableId(): string | null {
    return this.route.page === "table" ? this.route.id : null;
  }

  go(page: Page, id?: string): void {
    location.hash = addressOf(page, id);
  }
}

export const router = new Router();
