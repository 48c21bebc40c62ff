import { describe, expect, it } from "vitest";
import { afterSittingOut, afterWelcome, shownMs, withNotice } from "../../src/app/notices";
import type { Notice } from "../../src/generated/protocol";

function notice(code: Notice["code"], tableId: string | null = "t"): Notice {
  return { type: "notice", code, table_id: tableId, message: "", until_ms: null };
}

function codes(...heard: Notice[]): string[] {
  return heard.reduce<readonly Notice[]>(withNotice, []).map((one) => one.code);
}

describe("notices", () => {
  it("a table that goes on is not paused any more, and the other way round", () => {
    expect(codes(notice("paused"), notice("resumed"))).toEqual(["resumed"]);
    expect(codes(notice("resumed"), notice("paused"))).toEqual(["paused"]);
    expect(codes(notice("paused", "other"), notice("resumed"))).toEqual(["paused", "resumed"]);
  });

  it("says the same once, and what holds stays until it is closed", () => {
    expect(codes(notice("draining", null), notice("draining", null))).toEqual(["draining"]);
    expect(shownMs(notice("paused"))).toBeNull();
    expect(shownMs(notice("resumed"))).toBeGreaterThan(0);
  });

  it("a house that is back neither restarts nor pauses", () => {
    const left = afterWelcome([notice("draining", null), notice("paused"), notice("sat_out_no_tokens")]);
    expect(left.map((one) => one.code)).toEqual(["sat_out_no_tokens"]);
  });

  it("whoever plays on is not told why they sat out at that table", () => {
    const left = afterSittingOut([notice("sat_out_no_tokens"), notice("sat_out_cool_off", "other"), notice("paused")], "t");
    expect(left.map((one) => one.code)).toEqual(["sat_out_cool_off", "paused"]);
  });
});
