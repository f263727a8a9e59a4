import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { rankLocations, type LiveLocation, type Location } from "./location.ts";

const ny: Location = { code: "ny", region: "nam" };
const ld: Location = { code: "ld", region: "eur" };
const anywhere: Location = { code: "home", region: undefined };

test("a check runs in its regions, at locations named for it, and at those that count everywhere", () => {
  const codes = (wanted: readonly string[]): readonly string[] =>
    rankLocations({ id: "check", home: undefined }, wanted, [ny, ld, anywhere])
      .map(({ code }) => code)
      .toSorted();
  assert.deepEqual(codes(["nam"]), ["home", "ny"]);
  assert.deepEqual(codes(["wlw"]), ["home", "ld", "ny"]);
  assert.deepEqual(codes(["ld"]), ["home", "ld"]);
  assert.deepEqual(codes([]), ["home"]);
});

test("locations that are away are ranked only where no other fits", () => {
  const away = { ...ny, isAway: true } as const;
  const ranked = (wanted: readonly string[], live: readonly LiveLocation[]): readonly string[] =>
    rankLocations({ id: "check", home: "ny" }, wanted, live).map(({ code }) => code);
  assert.deepEqual(ranked(["wlw"], [away, ld]), ["ld"]);
  assert.deepEqual(ranked(["nam"], [away, anywhere]), ["home"]);
  assert.deepEqual(ranked(["nam"], [away, ld]), ["ny"]);
});

const fleet = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{2,5}$/), { minLength: 2, maxLength: 12 })
  .map((codes) => codes.map((code): Location => ({ code, region: "eur" })));

test("the ranking does not depend on the order in which locations are known", () => {
  fc.assert(
    fc.property(fc.string(), fleet, (checkId, live) => {
      assert.deepEqual(
        rankLocations({ id: checkId, home: undefined }, ["eur"], live),
        rankLocations({ id: checkId, home: undefined }, ["eur"], live.toReversed()),
      );
    }),
  );
});

test("when a location dies only the checks that had it first move", () => {
  fc.assert(
    fc.property(fc.string(), fleet, (checkId, live) => {
      const [dead] = live;
      const before = rankLocations({ id: checkId, home: undefined }, ["eur"], live);
      const after = rankLocations({ id: checkId, home: undefined }, ["eur"], live.slice(1));
      assert.deepEqual(
        after,
        before.filter((location) => location !== dead),
      );
    }),
  );
});

test("the first places are spread evenly over the locations", () => {
  const live = ["aa", "bb", "cc", "dd"].map((code): Location => ({ code, region: "eur" }));
  const firsts = new Map<string, number>();
  for (let check = 0; check < 8000; check += 1) {
    const [first] = rankLocations(
      { id: `202601051200ABCDE-${check}`, home: undefined },
      ["eur"],
      live,
    );
    firsts.set(String(first?.code), (firsts.get(String(first?.code)) ?? 0) + 1);
  }
  for (const count of firsts.values()) assert.ok(count > 1800 && count < 2200, `${count} of 8000`);
});

test("the home of a check comes first, where it is live and in the check's regions", () => {
  for (let check = 0; check < 50; check += 1) {
    const first = (home: string, wanted: readonly string[]): string | undefined =>
      rankLocations({ id: `check ${check}`, home }, wanted, [ny, ld, anywhere])[0]?.code;
    assert.equal(first("ny", ["wlw"]), "ny");
    assert.equal(first("ld", ["wlw"]), "ld");
    assert.notEqual(first("ny", ["eur"]), "ny");
    assert.notEqual(first("roam", ["wlw"]), undefined);
  }
});
