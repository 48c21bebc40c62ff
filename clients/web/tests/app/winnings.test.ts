import { expect, it } from "vitest";
import { Winnings } from "../../src/app/account/winnings";

function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as unknown as Storage;
}

it("reminds whoever has more than at first sight, and then again only after more", () => {
  const winnings = new Winnings(storage());
  expect(winnings.hasWon("asha", 100)).toBe(false);
  expect(winnings.hasWon("asha", 90)).toBe(false);
  expect(winnings.hasWon("asha", 101)).toBe(true);
  winnings.putAside("asha", 101);
  expect(winnings.hasWon("asha", 101)).toBe(false);
  expect(winnings.hasWon("asha", 150)).toBe(true);
});

it("counts from the beginning for another guest on the same device", () => {
  const winnings = new Winnings(storage());
  winnings.hasWon("asha", 100);
  expect(winnings.hasWon("robin", 500)).toBe(false);
});
