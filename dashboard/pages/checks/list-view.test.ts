import assert from "node:assert/strict";
import { test } from "node:test";

import { facetsOf, linesOf, queryOf, shownOf, viewFrom, type ListView } from "./list-view.ts";
import type { Status } from "../../live/status-list.ts";

const NOW = 1000;

function aStatus(id: string, changes: Partial<Status> = {}): Status {
  const usual = { label: id, type: "HTTP", target: `https://${id}.example/`, interval: 1 };
  return { id, ...usual, status: "up", since: 0, ...changes };
}

const all = [
  aStatus("shop", { tags: ["web", "Zürich"], ms: 30 }),
  aStatus("api", { status: "down", since: 900, type: "PORT", ms: 10 }),
  aStatus("backup", { expected: 500, tags: ["web"] }),
  aStatus("Blog 10", { status: "paused" }),
  aStatus("Blog 9", { status: "paused" }),
];

const views: readonly (readonly [query: string, ids: readonly string[]])[] = [
  ["", ["api", "backup", "Blog 9", "Blog 10", "shop"]],
  ["q=BLOG", ["Blog 9", "Blog 10"]],
  ["q=shop.example web", ["shop"]],
  ["q=port", ["api"]],
  ["q=nothing", []],
  ["state=late,down", ["api", "backup"]],
  ["type=PORT", ["api"]],
  ["tag=Z%C3%BCrich", ["shop"]],
  ["tag=web&state=up", ["shop"]],
  ["sort=name&state=paused,down", ["api", "Blog 9", "Blog 10"]],
  ["sort=ms", ["shop", "api", "backup", "Blog 9", "Blog 10"]],
  ["sort=since&q=a", ["api", "backup", "Blog 9", "Blog 10", "shop"]],
];

for (const [query, ids] of views)
  test(`the view ${JSON.stringify(query)} shows ${ids.join(", ")}`, () => {
    assert.deepEqual(
      shownOf(all, viewFrom(query), NOW).map(({ id }) => id),
      ids,
    );
  });

test("digits are searched in addresses only where no name has them", () => {
  const found = (statuses: readonly Status[], query: string): readonly string[] =>
    shownOf(statuses, viewFrom(query), NOW).map(({ id }) => id);
  const mail = aStatus("mail", { target: "10.0.0.7:7077" });
  assert.deepEqual(found([mail, aStatus("Line 7")], "q=7"), ["Line 7"]);
  assert.deepEqual(found([mail, aStatus("Line 7")], "q=10.0.0.7"), ["mail"]);
  assert.deepEqual(found([mail, aStatus("Line")], "q=7077"), ["mail"]);
});

test("an address says what of the list is shown, and is read back as it was written", () => {
  const view: ListView = {
    search: "a b&c",
    states: ["down", "late"],
    types: ["HTTP", "PORT"],
    tags: ["a,b", "c=d"],
    sorting: "ms",
    isGrouped: true,
  };
  assert.deepEqual(viewFrom(queryOf(view)), view);
  assert.equal(queryOf(viewFrom("sort=nonsense&state=nonsense&group=no")), "");
});

test("checks stand under each of their tags, and those without one last", () => {
  const lines = linesOf(shownOf(all, viewFrom("sort=name"), NOW), true);
  assert.deepEqual(
    lines.map((line) => (line.kind === "tag" ? `${line.tag}: ${line.count}` : line.status.id)),
    ["web: 2", "backup", "shop", "Zürich: 1", "shop", ": 3", "api", "Blog 9", "Blog 10"],
  );
  assert.equal(new Set(lines.map(({ key }) => key)).size, lines.length);
});

test("what can be chosen is counted of all checks", () => {
  assert.deepEqual(facetsOf(all, NOW), {
    states: { up: 1, down: 1, late: 1, maintenance: 0, paused: 2, unknown: 0 },
    types: ["HTTP", "PORT"],
    tags: ["web", "Zürich"],
  });
});
