import { describe, expect, it } from "vitest";
import { ServerClock } from "../../src/app/net/server_clock";

describe("the server's time on a device", () => {
  it("comes from the quickest answer, and runs on the monotone clock", () => {
    let page = 1_000;
    const clock = new ServerClock(() => page);
    page = 1_400;
    clock.answered(1_000, 500_000);
    page = 1_410;
    clock.answered(1_400, 500_205);
    expect(clock.nowMs()).toBe(500_210);
    page += 60_000;
    expect(clock.nowMs()).toBe(560_210);
  });

  it("is never before what a message said", () => {
    const clock = new ServerClock(() => 100);
    clock.heard(9_000);
    expect(clock.nowMs()).toBe(9_000);
    clock.heard(8_000);
    expect(clock.nowMs()).toBe(9_000);
  });
});
