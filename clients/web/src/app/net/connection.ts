/**
 * One socket to the house that heals itself.
 *
 * A command counts as done when the house has answered it, never before. Commands that were not answered when the
 * socket broke are sent again with the same id, which the house carries out at most once. Whether the connection is
 * live is read from the last thing heard, not from what the socket says of itself.
 */

import type { Ack, Command, Error as Refusal, ServerMessage } from "../../generated/protocol";
import type { ServerClock } from "./server_clock";

export type Status = "connecting" | "live" | "lost" | "signed_out";
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** A command before it has its id. */
export type Wish = Without<Command, "id">;
export type Answer = Ack | Refusal;

export const PROTOCOL = 1;
export const PING_EVERY_MS = 5_000;
export const STALE_AFTER_MS = 8_000;
export const LONGEST_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 400;
const WATCH_EVERY_MS = 1_000;
const PENDING_LIMIT = 64;
/** The house closes with this code when the session is over. */
const CLOSE_SIGNED_OUT = 4401;
/** The player has many newer windows: this one waits until somebody looks at it, or they would push each other out. */
const CLOSE_REPLACED = 4409;

export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
}

export interface ConnectionPorts {
  readonly dial: () => Socket;
  readonly clock: ServerClock;
  readonly newId: () => string;
  /** 0 <= n < 1; spreads reconnects of many clients. */
  readonly random: () => number;
  /** The house answered hello: watch again what the page shows. Unanswered commands follow by themselves. */
  readonly onWelcome: () => void;
  readonly onMessage: (message: ServerMessage) => void;
  readonly onStatus: (status: Status) => void;
  /** A socket closed before any welcome: is there still a session? */
  readonly isSignedIn: () => Promise<boolean>;
}

interface Waiting {
  readonly command: Command;
  readonly settle: (answer: Answer) => void;
}

/** More than these wait for an answer already: the person is asked to wait, nothing is queued without end. */
export class TooManyWaiting extends Error {}

export class Connection {
  readonly #ports: ConnectionPorts;
  #socket: Socket | null = null;
  #welcomed = false;
  #wanted = false;
  #lastHeard = 0;
  #pingSent: { id: string; at: number } | null = null;
  #lastPing = 0;
  #failures = 0;
  #redial: ReturnType<typeof setTimeout> | null = null;
  #watch: ReturnType<typeof setInterval> | null = null;
  readonly #waiting = new Map<string, Waiting>();
  #status: Status = "connecting";

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
  }

  start(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#watch = setInterval(() => this.#look(), WATCH_EVERY_MS);
    this.#open();
  }

  stop(): void {
    this.#wanted = false;
    if (this.#watch !== null) clearInterval(this.#watch);
    if (this.#redial !== null) clearTimeout(this.#redial);
    this.#waiting.clear();
    this.#drop();
  }

  /** Dial at once instead of at the end of the pause: the network or the person came back. */
  nudge(): void {
    if (!this.#wanted) return;
    if (this.#socket === null) this.#open();
    else this.#look();
  }

  /** Ask the house; resolves with its answer, however often the socket breaks in between. */
  ask(wish: Wish): Promise<Answer> {
    if (this.#waiting.size >= PENDING_LIMIT) return Promise.reject(new TooManyWaiting());
    const command = { ...wish, id: this.#ports.newId() } as Command;
    return new Promise((settle) => {
      this.#waiting.set(command.id, { command, settle });
      if (this.#welcomed) this.#write(command);
    });
  }

  /**
   * Say something that is only worth saying on this socket, such as what to watch: not repeated after a break.
   * Returns the id under which a refusal of it comes, as a message like any other; null when nothing was said.
   */
  say(wish: Wish): string | null {
    if (!this.#welcomed) return null;
    const id = this.#ports.newId();
    this.#write({ ...wish, id } as Command);
    return id;
  }

  #open(): void {
    if (this.#redial !== null) clearTimeout(this.#redial);
    this.#redial = null;
    const socket = this.#ports.dial();
    this.#socket = socket;
    this.#welcomed = false;
    this.#lastHeard = this.#ports.clock.monotoneMs();
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", id: this.#ports.newId(), protocol: PROTOCOL }));
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = (event) => this.#closed(socket, event.code);
  }

  #hear(message: ServerMessage): void {
    this.#lastHeard = this.#ports.clock.monotoneMs();
    switch (message.type) {
      case "welcome":
        this.#failures = 0;
        this.#welcomed = true;
        this.#ports.clock.heard(message.now_ms);
        this.#ports.onMessage(message);
        this.#say("live");
        this.#ports.onWelcome();
        for (const waiting of this.#waiting.values()) this.#write(waiting.command);
        this.#ping();
        return;
      case "pong":
        if (this.#pingSent?.id === message.id) this.#ports.clock.answered(this.#pingSent.at, message.now_ms);
        this.#pingSent = null;
        return;
      case "ack":
        this.#settle(message.id, message);
        return;
      case "error":
        if (message.id !== null && this.#settle(message.id, message)) return;
        this.#ports.onMessage(message);
        return;
      default:
        this.#ports.onMessage(message);
    }
  }

  #settle(id: string, answer: Answer): boolean {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.settle(answer);
    return waiting !== undefined;
  }

  #look(): void {
    const now = this.#ports.clock.monotoneMs();
    if (this.#socket === null) return;
    if (now - this.#lastHeard > STALE_AFTER_MS) {
      this.#drop();
      this.#lost();
    } else if (this.#welcomed && now - this.#lastPing >= PING_EVERY_MS) {
      this.#ping();
    }
  }

  #ping(): void {
    const at = this.#ports.clock.monotoneMs();
    const id = this.#ports.newId();
    this.#lastPing = at;
    this.#pingSent = { id, at };
    this.#write({ type: "ping", id });
  }

  #closed(socket: Socket, code: number): void {
    if (socket !== this.#socket) return;
    const refused = !this.#welcomed || code === CLOSE_SIGNED_OUT;
    this.#drop();
    if (code === CLOSE_REPLACED) this.#say("lost");
    else this.#lost();
    if (refused) void this.#askWhetherSignedIn();
  }

  async #askWhetherSignedIn(): Promise<void> {
    if (!(await this.#ports.isSignedIn()) && this.#wanted) {
      this.stop();
      this.#say("signed_out");
    }
  }

  #lost(): void {
    if (!this.#wanted) return;
    this.#say("lost");
    const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#redial = setTimeout(() => this.#open(), ceiling * (0.5 + this.#ports.random() / 2));
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    this.#pingSent = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #write(command: Command): void {
    this.#socket?.send(JSON.stringify(command));
  }

  #say(status: Status): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#ports.onStatus(status);
  }
}
