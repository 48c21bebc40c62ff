/** Where in the house the person is: the part of the address after the hash, so that any static server serves it. */

export type Page =
  | "lobby"
  | "table"
  | "statement"
  | "hands"
  | "rules"
  | "fairness"
  | "settings"
  | "desk";

export interface Route {
  readonly page: Page;
  readonly tableId: string | null;
}

const PLAIN_PAGES: readonly Page[] = ["lobby", "statement", "hands", "rules", "fairness", "settings", "desk"];

export function readRoute(path: string, hash: string): Route {
  const [first = "", second = ""] = hash.replace(/^#\/?/, "").split("/");
  if (first === "table" && second !== "") return { page: "table", tableId: second };
  const page = PLAIN_PAGES.find((one) => one === first);
  if (page !== undefined) return { page, tableId: null };
  return { page: path.replace(/\/+$/, "") === "/operator" ? "desk" : "lobby", tableId: null };
}

export function addressOf(page: Page, tableId?: string): string {
  return page === "table" ? `#/table/${tableId ?? ""}` : `#/${page}`;
}

class Router {
  route = $state.raw<Route>(readRoute(location.pathname, location.hash));

  constructor() {
    addEventListener("hashchange", () => {
      this.route = readRoute(location.pathname, location.hash);
    });
  }

  go(page: Page, tableId?: string): void {
    location.hash = addressOf(page, tableId);
  }
}

export const router = new Router();
