/**
 * Whether a guest has more house tokens than when this device first saw them, and was not told yet what would become
 * of them. Kept on the device; each reminder that is put aside counts from there.
 */

const KEY = "rummy.reminded";

interface Kept {
  readonly playerId: string;
  readonly units: number;
}

export class Winnings {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** More than at the last look that counts; the first look counts. */
  hasWon(playerId: string, units: number): boolean {
    const kept = this.#load();
    if (kept?.playerId === playerId) return units > kept.units;
    this.putAside(playerId, units);
    return false;
  }

  putAside(playerId: string, units: number): void {
    try {
      this.#storage.setItem(KEY, JSON.stringify({ playerId, units } satisfies Kept));
    } catch {
      // Without storage nobody is reminded.
    }
  }

  #load(): Kept | null {
    try {
      return JSON.parse(this.#storage.getItem(KEY) ?? "null") as Kept | null;
    } catch {
      return null;
    }
  }
}
