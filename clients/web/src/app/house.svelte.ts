/** Everything the app shares: who is signed in, the lobby, the watched tables, and the one connection behind them. */

import type { Notice, Receipt, ServerMessage, TableSummary } from "../generated/protocol";
import { whoAmI, type Balances, type Me } from "./http";
import { withPlace, type Places } from "./lobby/places";
import { Connection, type Answer, type Status, type Wish } from "./net/connection";
import { ServerClock } from "./net/server_clock";
import { afterSittingOut, afterWelcome, shownMs, withNotice } from "./notices";
import { TableStore } from "./table/table_store.svelte";
import type { Witness } from "./table/witness";

class House {
  readonly clock = new ServerClock(() => performance.now());
  readonly #connection: Connection;

  /** undefined until the house has said whether anybody is signed in here. */
  me = $state.raw<Me | null | undefined>(undefined);
  balances = $state.raw<Balances>({});
  seatedAt = $state.raw<readonly string[]>([]);
  lobby = $state.raw<readonly TableSummary[] | null>(null);
  /** Places in waiting lists, by table. */
  waiting = $state.raw<Places>(new Map());
  /** The own private tables. */
  hosting = $state.raw<readonly string[]>([]);
  /** Players whom this person does not hear. */
  muted = $state.raw<readonly string[]>([]);
  status = $state.raw<Status>("connecting");
  notices = $state.raw<readonly Notice[]>([]);
  /** The time after which this person wanted to be asked is over. playedMs: null when the house did not say. */
  reminder = $state.raw<{ readonly playedMs: number | null } | null>(null);
  tables = $state.raw<ReadonlyMap<string, TableStore>>(new Map());
  /** Its cryptography is fetched once the first table is on the screen, so that the table need not wait for it. */
  #witness: Promise<Witness> | null = null;
  #lobbyWatched = false;

  constructor() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#connection = new Connection({
      dial: () => new WebSocket(`${scheme}://${location.host}/ws`),
      clock: this.clock,
      newId: () => randomId(),
      random: () => Math.random(),
      onWelcome: () => this.#watchAgain(),
      onMessage: (message) => this.#hear(message),
      onStatus: (status) => this.#follow(status),
      isSignedIn: async () => (await whoAmI().catch(() => undefined)) !== null,
    });
    addEventListener("online", () => this.#connection.nudge());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#connection.nudge();
    });
  }

  async enter(): Promise<void> {
    const me = await whoAmI();
    this.me = me;
    if (me === null) return;
    this.balances = me.balances;
    this.seatedAt = me.seated_at;
    this.#connection.start();
  }

  /** Who this is may have changed: a name that was kept, a second factor. */
  async refresh(): Promise<void> {
    this.me = await whoAmI();
  }

  leave(): void {
    this.#connection.stop();
    this.tables = new Map();
    this.waiting = new Map();
    this.hosting = [];
    this.lobby = null;
    this.reminder = null;
    this.notices = [];
    this.me = null;
  }

  /** Ask the house what belongs to no table's store; null when too much is unanswered already. */
  ask(wish: Wish): Promise<Answer | null> {
    return this.#connection.ask(wish).catch(() => null);
  }

  hosts(tableId: string): void {
    if (!this.hosting.includes(tableId)) this.hosting = [...this.hosting, tableId];
  }

  watchLobby(): void {
    this.#lobbyWatched = true;
    this.#connection.say({ type: "watch_lobby" });
  }

  unwatchLobby(): void {
    this.#lobbyWatched = false;
    this.#connection.say({ type: "unwatch_lobby" });
  }

  /** The store of a table, watched from now on. */
  watchTable(id: string): TableStore {
    const known = this.tables.get(id);
    if (known !== undefined) return known;
    const table = new TableStore(id, this.#connection);
    this.tables = new Map([...this.tables, [id, table]]);
    table.watch();
    return table;
  }

  unwatchTable(id: string): void {
    this.tables.get(id)?.unwatch();
    this.tables = new Map([...this.tables].filter(([one]) => one !== id));
  }

  dismiss(notice: Notice): void {
    this.notices = this.notices.filter((one) => one !== notice);
  }

  #note(notice: Notice): void {
    this.notices = withNotice(this.notices, notice);
    const ms = shownMs(notice);
    if (ms !== null) setTimeout(() => this.dismiss(notice), ms);
  }

  #watchAgain(): void {
    if (this.#lobbyWatched) this.#connection.say({ type: "watch_lobby" });
    for (const table of this.tables.values()) table.watch();
  }

  /** The house tells places on the connection that asked, and its lists are empty after a restart. */
  #waitAgain(waitingAt: readonly string[]): void {
    const kept = [...this.waiting.values()].filter((place) => place.position !== null).map((place) => place.table_id);
    this.waiting = new Map();
    for (const tableId of new Set([...waitingAt, ...kept])) void this.ask({ type: "join_waiting", table_id: tableId });
  }

  #follow(status: Status): void {
    this.status = status;
    if (status === "signed_out") this.leave();
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.notices = afterWelcome(this.notices);
        this.balances = message.balances;
        this.seatedAt = message.seated_at;
        this.hosting = message.hosting;
        this.muted = message.muted;
        this.#waitAgain(message.waiting_at);
        break;
      case "lobby":
        this.lobby = message.tables;
        break;
      case "lobby_table":
        this.lobby = withTable(this.lobby ?? [], message.table);
        break;
      case "lobby_table_closed":
        this.lobby = (this.lobby ?? []).filter((table) => table.table_id !== message.table_id);
        break;
      case "table":
        this.clock.heard(message.now_ms);
        if (this.tables.get(message.table_id)?.apply(message) === true && message.you !== null) {
          this.#withWitness((witness) => witness.see(message));
        }
        this.#followSeat(message.table_id, message.you !== null);
        if (message.public.seats.find(({ seat }) => seat === message.you?.seat)?.sitting_out !== true) {
          this.notices = afterSittingOut(this.notices, message.table_id);
        }
        break;
      case "table_gone":
        this.#gone(message.table_id, message.reason);
        break;
      case "balances":
        this.balances = message.balances;
        break;
      case "receipt":
        this.#receive(message);
        break;
      case "notice":
        this.#note(message);
        // Said again when it keeps them out of a hand: the page may have been loaded since.
        if (message.code === "sat_out_session_reminder") this.reminder ??= { playedMs: null };
        break;
      case "session_reminder":
        this.reminder = { playedMs: message.played_ms };
        break;
      case "chat":
        this.tables.get(message.table_id)?.hear(message.line);
        break;
      case "chat_history":
        this.tables.get(message.table_id)?.hearAgain(message.lines);
        break;
      case "muted":
        this.muted = message.players;
        break;
      case "waiting":
        this.waiting = withPlace(this.waiting, message);
        break;
      case "error":
        for (const table of this.tables.values()) table.refuseWatching(message);
        break;
      case "ack":
      case "pong":
        break;
    }
  }

  #receive(receipt: Receipt): void {
    const table = this.tables.get(receipt.table_id)?.message ?? null;
    const player = this.me?.player ?? null;
    this.#withWitness((witness) => void witness.receive(receipt, table, player));
  }

  /** In the order of the calls, also while the witness is still being fetched. */
  #withWitness(act: (witness: Witness) => void): void {
    this.#witness ??= import("./table/witness").then(
      (module) => new module.Witness((wish) => this.#connection.ask(wish)),
    );
    // Not fetched now: the hand goes on without this player's part, and the next message tries again.
    void this.#witness.then(act, () => (this.#witness = null));
  }

  #gone(tableId: string, reason: "closed" | "unwatched" | "forbidden"): void {
    const table = this.tables.get(tableId);
    if (table !== undefined) table.gone = reason;
    this.#followSeat(tableId, false);
  }

  #followSeat(tableId: string, seated: boolean): void {
    if (this.seatedAt.includes(tableId) === seated) return;
    this.seatedAt = seated ? [...this.seatedAt, tableId] : this.seatedAt.filter((one) => one !== tableId);
  }
}

function withTable(tables: readonly TableSummary[], table: TableSummary): readonly TableSummary[] {
  const known = tables.some((one) => one.table_id === table.table_id);
  return known ? tables.map((one) => (one.table_id === table.table_id ? table : one)) : [...tables, table];
}

/** Ids need no secrecy, only to be unlike each other; randomUUID is missing on plain-http addresses. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const house = new House();
