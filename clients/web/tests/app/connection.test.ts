import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, STALE_AFTER_MS, type Socket, type Status } from "../../src/app/net/connection";
import { ServerClock } from "../../src/app/net/server_clock";

/** A socket whose other end is the test. */
class OtherEnd implements Socket {
  readonly sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.closed = true;
  }

  say(message: Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);
  }

  break(code = 1006): void {
    this.onclose?.({ code } as CloseEvent);
  }

  welcome(): void {
    this.onopen?.({} as Event);
    this.say({ type: "welcome", protocol: 1, now_ms: 1, player: {}, balances: {}, seated_at: [] });
  }

  ofType(type: string): Record<string, unknown>[] {
    return this.sent.filter((message) => message["type"] === type);
  }
}

function setUp(signedIn = true): { connection: Connection; sockets: OtherEnd[]; statuses: Status[] } {
  const sockets: OtherEnd[] = [];
  const statuses: Status[] = [];
  let ids = 0;
  const connection = new Connection({
    dial: () => {
      const socket = new OtherEnd();
      sockets.push(socket);
      return socket;
    },
    clock: new ServerClock(() => Date.now()),
    newId: () => `id-${(ids += 1)}`,
    random: () => 0,
    onWelcome: () => connection.say({ type: "watch_lobby" }),
    onMessage: () => undefined,
    onStatus: (status) => statuses.push(status),
    isSignedIn: () => Promise.resolve(signedIn),
  });
  connection.start();
  return { connection, sockets, statuses };
}

const draw = { type: "draw", table_id: "t", hand_id: "h", turn: 3, source: "stock" } as const;

describe("the connection", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("sends an unanswered command again with the same id, after watching again, and settles it once", async () => {
    const { connection, sockets } = setUp();
    sockets[0]?.welcome();
    const answered = vi.fn();
    void connection.ask(draw).then(answered);
    const first = sockets[0]?.ofType("draw")[0];
    sockets[0]?.break();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(answered).not.toHaveBeenCalled();

    sockets[1]?.welcome();
    expect(sockets[1]?.ofType("draw")).toEqual([first]);
    const order = sockets[1]?.sent.map((message) => message["type"]) ?? [];
    expect(order.indexOf("watch_lobby")).toBeLessThan(order.indexOf("draw"));
    sockets[1]?.say({ type: "ack", id: first?.["id"], result: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(answered).toHaveBeenCalledOnce();

    sockets[1]?.break();
    await vi.advanceTimersByTimeAsync(1_000);
    sockets[2]?.welcome();
    expect(sockets[2]?.ofType("draw")).toEqual([]);
  });

  it("calls a silent socket lost and dials again, though the socket says that it is open", async () => {
    const { sockets, statuses } = setUp();
    sockets[0]?.welcome();
    await vi.advanceTimersByTimeAsync(STALE_AFTER_MS + 1_500);
    expect(statuses).toEqual(["live", "lost"]);
    expect(sockets[0]?.closed).toBe(true);
    expect(sockets.length).toBe(2);
  });

  it("waits when newer windows of the player push it out, until somebody looks at it", async () => {
    const { connection, sockets, statuses } = setUp();
    sockets[0]?.welcome();
    sockets[0]?.break(4409);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(statuses).toEqual(["live", "lost"]);
    expect(sockets.length).toBe(1);
    connection.nudge();
    sockets[1]?.welcome();
    expect(statuses).toEqual(["live", "lost", "live"]);
  });

  it("stays live as long as anything is heard", async () => {
    const { sockets, statuses } = setUp();
    sockets[0]?.welcome();
    for (let at = 0; at < 10; at += 1) {
      await vi.advanceTimersByTimeAsync(4_000);
      sockets[0]?.say({ type: "pong", id: "any", now_ms: 5 });
    }
    expect(statuses).toEqual(["live"]);
    expect(sockets[0]?.ofType("ping").length).toBeGreaterThan(5);
  });

  it("waits longer from one failure to the next, up to a bound", async () => {
    const { sockets } = setUp();
    for (let at = 0; at < 8; at += 1) {
      sockets.at(-1)?.break();
      await vi.advanceTimersByTimeAsync(5_000);
    }
    const dialled = sockets.length;
    sockets.at(-1)?.break();
    await vi.advanceTimersByTimeAsync(4_900);
    expect(sockets.length).toBe(dialled);
    await vi.advanceTimersByTimeAsync(200);
    expect(sockets.length).toBe(dialled + 1);
  });

  it("goes to the door when the session is over, and dials no more", async () => {
    const { sockets, statuses } = setUp(false);
    sockets[0]?.welcome();
    sockets[0]?.break(4401);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(statuses.at(-1)).toBe("signed_out");
    expect(sockets.length).toBe(1);
  });
});
