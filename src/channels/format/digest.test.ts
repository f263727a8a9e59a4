import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { sampleAlertContext } from "../../../test/sample-alert.ts";
import type { AlertContext } from "../channel.ts";
import { byUrgency, countsByState, namesByState } from "./digest.ts";

function contextOf(word: string, label: string): AlertContext {
  const context =
    word === "new"
      ? sampleAlertContext("first", { state: "passing" })
      : sampleAlertContext(kindOf(word));
  const { alert } = context;
  const check = { ...alert.notice.check, label, target: `https://${label}.example.com/` };
  return { ...context, alert: { ...alert, notice: { ...alert.notice, check } } };
}

function kindOf(word: string): "down" | "up" | "first" {
  return word === "down" || word === "up" ? word : "first";
}

const many = [
  contextOf("up", "blog"),
  contextOf("down", "shop"),
  contextOf("new", "wiki"),
  contextOf("first", "mail"),
  contextOf("down", "cart"),
];

test("what is most urgent comes first, each group in the order that it had", () => {
  assert.deepEqual(
    byUrgency(many).map(({ alert }) => alert.notice.check.label),
    ["shop", "cart", "mail", "blog", "wiki"],
  );
});

test("the counts say of each group how many it has", () => {
  assert.equal(
    countsByState(many),
    "2 checks are down, 1 new check is down, 1 check is up again, 1 new check is up",
  );
});

const lines = [
  {
    room: 100,
    line: "DOWN: shop, cart; First result down: mail; UP: blog; First result up: wiki",
  },
  {
    room: 30,
    line: "DOWN: 2 checks; First result down: 1 check; UP: 1 check; First result up: 1 check",
  },
];

for (const { room, line } of lines) {
  test(`in a room of ${room} it says ${JSON.stringify(line)}`, () => {
    assert.equal(
      namesByState(many, (text) => text.length <= room),
      line,
    );
  });
}

test("names that have no room are counted", () => {
  const downs = ["a", "b", "c", "d", "e"].map((label) => contextOf("down", label));
  assert.equal(
    namesByState(downs, (text) => text.length <= 18),
    "DOWN: a and 4 more",
  );
});

test("checks of one host that failed for one reason have one name", () => {
  const ofHost = (label: string, target: string): AlertContext => {
    const context = contextOf("down", label);
    const { alert } = context;
    const check = { ...alert.notice.check, target };
    return { ...context, alert: { ...alert, notice: { ...alert.notice, check } } };
  };
  const downs = [
    contextOf("down", "shop"),
    ofHost("a", "db1.example.net"),
    ofHost("b", "https://db1.example.net:8443/x"),
    ofHost("c", "DB1.example.net:5432"),
  ];
  assert.equal(
    namesByState(downs, (text) => text.length <= 100),
    "DOWN: 3 checks of db1.example.net (HTTP status returned: 503), shop",
  );
});

test("whatever the room, every alert is named or counted", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("down", "up", "first", "new"), { minLength: 1, maxLength: 60 }),
      fc.nat({ max: 300 }),
      (words, room) => {
        const contexts = words.map((word, index) => contextOf(word, `check${index}`));
        const line = namesByState(contexts, (text) => text.length <= room);
        const named = line.match(/check\d+/g)?.length ?? 0;
        const counted = [...line.matchAll(/and (\d+) more|: (\d+) checks?\b/g)].reduce(
          (sum, [, more = "0", all = "0"]) => sum + Number(more) + Number(all),
          0,
        );
        assert.equal(named + counted, words.length);
        assert.ok(line.length <= room || named === 0);
      },
    ),
  );
});
