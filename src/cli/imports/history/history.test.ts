import assert from "node:assert/strict";
import { test } from "node:test";

import { importHarness } from "../../../../test/harnesses/import-harness.ts";
import { filledPieces, piecesOf, type HistoryBeat } from "./covered-history.ts";
import { boundedHistory, describeHistory, historyFigures, historyOf } from "./history.ts";
import { partsOf } from "./send-history.ts";

const day = 86_400_000;
const times = { intervalMs: 60, nextWithinMs: 100 };

/** Beats, from a letter for each minute: up, down, maintenance, or none. */
function beatsOf(letters: string): readonly HistoryBeat[] {
  const states = { u: "up", d: "down", m: "maintenance" } as const;
  return Array.from(letters).flatMap((letter, index) => {
    const state = Object.entries(states).find(([first]) => first === letter)?.[1];
    return state === undefined ? [] : [{ at: index * 60, state, message: letter }];
  });
}

function shown(letters: string): string {
  const { known, outages, maintenance } = historyOf("", piecesOf(beatsOf(letters), times));
  return Array.from(letters)
    .map((_, index) => {
      const has = (spans: readonly { start: number; end: number }[]): boolean =>
        spans.some(({ start, end }) => start <= index * 60 && end >= (index + 1) * 60);
      return has(outages) ? "d" : has(known) ? "u" : has(maintenance) ? "m" : "-";
    })
    .join("");
}

test("every failure is an outage, and what nobody looked at is unknown", () => {
  const cases = [
    ["uuuu", "uuuu"],
    ["udu", "udu"],
    ["uddddu", "uddddu"],
    ["u---u", "u---u"],
    ["uud--du", "uud--du"],
    ["udd", "udd"],
    ["ummmu", "ummmu"],
    [
      "uu--------------------------------------------------u",
      "uu--------------------------------------------------u",
    ],
  ];
  for (const [there = "", here = ""] of cases) assert.equal(shown(there), here, there);
});

/** A stretch of ten beats, as a rule. */
function counted(index: number, up: number, down = 0, maintenance = 0) {
  return { start: index * 600, end: (index + 1) * 600, up, down, maintenance };
}

test("counted beats fill what is between others, where there are about as many as usual", () => {
  const times = [counted(0, 10), counted(1, 4), counted(2, 10), counted(3, 6, 4), counted(4, 10)];
  const changes = beatsOf(`${"-".repeat(35)}d${"-".repeat(3)}u`);
  const pieces = piecesOf(changes, { intervalMs: 60, nextWithinMs: 100 });
  const { known, outages } = historyOf("", filledPieces(pieces, times, 60));
  assert.deepEqual(known, [
    { start: 0, end: 600 },
    { start: 1200, end: 3000 },
  ]);
  assert.deepEqual(outages, [{ start: 2100, end: 2340, message: "d" }]);
});

for (const { name, letters, times, outages, unknown } of [
  {
    name: "of which nothing else is known are at its end",
    letters: "",
    times: [counted(0, 10), counted(1, 7, 3), counted(2, 10)],
    outages: [[1020, 1200]],
    unknown: 0,
  },
  {
    name: "before an outage belong to it",
    letters: `${"-".repeat(15)}d${"-".repeat(4)}u`,
    times: [counted(0, 10), counted(1, 2, 8), counted(2, 10)],
    outages: [[720, 1200]],
    unknown: 0,
  },
  {
    name: "of a stretch that was watched in part leave the rest unknown",
    letters: "",
    times: [counted(0, 10), counted(1, 3, 2), counted(2, 10)],
    outages: [[1080, 1200]],
    unknown: 300,
  },
  {
    name: "go on over stretches, beside a maintenance",
    letters: "",
    times: [counted(0, 9, 1), counted(1, 0, 10), counted(2, 4, 2, 4)],
    outages: [[540, 1320]],
    unknown: 0,
  },
])
  test(`counted beats that failed, ${name}`, () => {
    const pieces = piecesOf(beatsOf(letters), { intervalMs: 60, nextWithinMs: 100 });
    const history = historyOf("", filledPieces(pieces, times, 60));
    assert.deepEqual(
      history.outages.map(({ start, end }) => [start, end]),
      outages,
    );
    const spans = [...history.known, ...history.maintenance];
    const covered = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    assert.equal(1800 - covered, unknown);
  });

test("a history is sent in parts that follow each other, the oldest first, and only what an installation takes", () => {
  const now = 4000 * day;
  const pieces = Array.from({ length: 30_000 }, (_, index) => ({
    state: index % 2 === 0 ? ("up" as const) : ("down" as const),
    start: index * 1000,
    end: (index + 1) * 1000,
  }));
  const early = { state: "up" as const, start: 0, end: 500 * day };
  const old = historyOf("states", [early]);
  assert.deepEqual(boundedHistory(old, now)?.known, [{ start: 351 * day, end: 500 * day }]);
  assert.equal(boundedHistory(historyOf("states", pieces), now), undefined);
  const recent = historyOf(
    "states",
    pieces.map(({ state, start, end }) => ({ state, start: now + start, end: now + end })),
  );
  const bounded = boundedHistory(recent, now + 30_000_000);
  assert.equal(bounded?.outages.length, 15_000);
  const parts = partsOf(recent);
  assert.equal(parts.length, 30);
  assert.ok(parts.every(({ known, outages }) => known.length <= 500 && outages.length <= 500));
  assert.deepEqual(
    parts.flatMap(({ outages }) => outages),
    recent.outages,
  );
  assert.match(
    describeHistory(historyOf("2 states", [early])),
    /^2 states, 1970-01-01 to 1971-05-16: 0 outages, uptime 100\.000%$/,
  );
});

test("a history in which nothing was measured has no uptime", () => {
  const planned = historyOf("1 state", [{ state: "maintenance", start: 0, end: 5 * day }]);
  assert.equal(historyFigures(planned).uptime, undefined);
  assert.match(describeHistory(planned), /: 0 outages, uptime unknown\b/);
});

const at = (minutes: number): number => Date.UTC(2026, 0, 4) + minutes * 60_000;
const iso = (minutes: number): string => new Date(at(minutes)).toISOString();
const seconds = (minutes: number): number => at(minutes) / 1000;
const uuid = "31365bce-8da9-4729-8ff3-aaa71d56b712";

const sources: readonly {
  readonly system: string;
  readonly files: Readonly<Record<string, object>>;
  readonly known: readonly (readonly [number, number])[];
}[] = [
  {
    system: "healthchecks",
    files: {
      "checks.json": {
        checks: [{ uuid, name: "job", timeout: 60, grace: 60, status: "up", last_ping: iso(90) }],
      },
      [`flips-${uuid}.json`]: [
        { timestamp: iso(30), up: 0 },
        { timestamp: iso(40), up: 1 },
        { timestamp: iso(0), up: 1 },
      ],
    },
    known: [[0, 90]],
  },
  {
    system: "uptimerobot",
    files: {
      "monitors.json": {
        monitors: [
          {
            id: 1,
            friendly_name: "site",
            type: 1,
            url: "https://example.com/",
            logs: [
              { type: 2, datetime: seconds(60), duration: 1800 },
              { type: 99, datetime: seconds(50), duration: 600 },
              { type: 2, datetime: seconds(40), duration: 600 },
              { type: 1, datetime: seconds(30), duration: 600, reason: { detail: "Timeout" } },
              { type: 98, datetime: seconds(0), duration: 1800 },
            ],
          },
        ],
      },
    },
    known: [
      [30, 50],
      [60, 90],
    ],
  },
  {
    system: "pingdom",
    files: {
      "1.json": { check: { id: 1, name: "host", hostname: "192.0.2.1", type: { ping: {} } } },
      "outages-1.json": {
        summary: {
          states: [
            { status: "up", timefrom: seconds(0), timeto: seconds(30) },
            { status: "down", timefrom: seconds(30), timeto: seconds(40) },
            { status: "unknown", timefrom: seconds(40), timeto: seconds(50) },
            { status: "up", timefrom: seconds(50), timeto: seconds(90) },
          ],
        },
      },
    },
    known: [
      [0, 40],
      [50, 90],
    ],
  },
];

for (const { system, files, known } of sources)
  test(`history of ${system} comes with its outages, and without what it does not know`, async () => {
    await using site = await importHarness(files);
    const { out } = await site.run(system);
    assert.match(out, /^ {4}history: \d \w+, 2026-01-04 to 2026-01-04: 1 outage, uptime /m, out);
    const { cast } = site;
    const [id = ""] = Object.keys((await cast.ask(cast.alice, "GET /checks")).body);
    const { no } =
      (await cast.store.checks.find(cast.alice.account.id, id))?.check ?? assert.fail();
    const spans = await cast.store.importedHistories.listSpans(no, [0, Infinity]);
    const ofKind = (wanted: string) =>
      spans
        .filter(({ kind }) => kind === wanted)
        .map(({ start, end }) => [(start - at(0)) / 60_000, (end - at(0)) / 60_000]);
    assert.deepEqual(ofKind("enabled"), known);
    assert.deepEqual(ofKind("down"), [[30, 40]]);
  });
