import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("location", { hash: "" });
vi.stubGlobal("addEventListener", () => undefined);
const { readRoute, toOne, toPage } = await import("../../src/desk/route.svelte");

describe("the addresses of the desk", () => {
  it.each([
    ["", { page: "today", id: null, query: {} }],
    ["#/nowhere", { page: "today", id: null, query: {} }],
    ["#/hand", { page: "today", id: null, query: {} }],
    ["#/settlements?player=Asha+K&least=5", { page: "settlements", id: null, query: { player: "Asha K", least: "5" } }],
    ["#/hand/0b7e", { page: "hand", id: "0b7e", query: {} }],
  ])("reads %j", (hash, route) => {
    expect(readRoute(hash)).toEqual(route);
  });

  it("writes what it reads, without filters that filter nothing", () => {
    expect(toPage("settlements", { player: "a&b", table: "" })).toBe("#/settlements?player=a%26b");
    expect(readRoute(toPage("settlements", { player: "a&b" })).query).toEqual({ player: "a&b" });
    expect(readRoute(toOne("report", "2026-11-30/HT")).id).toBe("2026-11-30/HT");
  });
});
