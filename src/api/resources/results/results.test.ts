import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";
import { aFlip } from "../../../../test/record-builders.ts";
import type { Check } from "../../../domain/check.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A check of Alice's with a result every minute, the last of them now; gives the check and the starts, newest first. */
async function withResults(
  cast: ApiFixture,
  count: number,
): Promise<{ readonly check: Check; readonly starts: readonly number[] }> {
  const { body } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    target: "http://user:pass@example.com/",
    enabled: true,
  });
  const found = await cast.store.checks.find(cast.alice.account.id, body._id);
  assert.ok(found);
  const { check } = found;
  await cast.clock.advance(count * MINUTE_MS);
  const starts = Array.from({ length: count }, (_, index) => cast.clock.now() - index * MINUTE_MS);
  for (const startedAt of starts.toReversed()) {
    await cast.store.append({
      checkNo: check.no,
      revision: check.runRevision,
      tick: startedAt - 5,
      startedAt,
      endedAt: startedAt + 120,
      passed: true,
      reason: "ok",
      text: "200",
      message: "Success",
      runtimeMs: 119.6,
      location: "fra",
      earlierRuns: [[startedAt - 1000, "nyc", false]],
      timings: undefined,
    });
  }
  return { check, starts };
}

test("a result has every field with the type that clients need, and no credentials", async () => {
  await using cast = await createApiFixture();
  const { check, starts } = await withResults(cast, 1);
  const [start = 0] = starts;
  const { body } = await cast.ask(cast.alice, `GET /results/${check.id}?limit=1`);
  assert.deepEqual(body, [
    {
      _id: `${check.id}-${start}`,
      ci: cast.alice.account.id,
      t: "HTTP",
      tg: "http://example.com/",
      th: "5",
      i: "15",
      ra: String(start - 5),
      q: check.queue,
      s: start,
      sc: "200",
      m: "Success",
      su: true,
      rt: 120,
      e: start + 120,
      l: { [start - 1000]: "nyc", [start]: "fra" },
      lf: ["nyc"],
      rhp: "fra",
      f: "",
      jobid: check.id,
    },
  ]);
});

test("results are wrapped in doc unless clean is asked for, or just one", async () => {
  await using cast = await createApiFixture();
  const { check, starts } = await withResults(cast, 2);
  const wrapped = await cast.ask(cast.alice, `GET /results/${check.id}`);
  assert.deepEqual(
    wrapped.body.map(({ _id, doc }: { _id: string; doc: { _id: string; s: number } }) => [
      _id === doc._id,
      doc.s,
    ]),
    starts.map((start) => [true, start]),
  );
  const clean = await cast.ask(cast.alice, `GET /results?id=${check.id}&clean=1`);
  assert.deepEqual(
    clean.body,
    wrapped.body.map(({ doc }: { doc: object }) => doc),
  );
  assert.equal(
    "doc" in (await cast.ask(cast.alice, `GET /results/${check.id}?limit=1`)).body[0],
    false,
  );
  assert.equal(
    "doc" in (await cast.ask(cast.alice, `GET /results/${check.id}?limit=1&clean=false`)).body[0],
    true,
  );
});

const iso = (at: number): string => new Date(at).toISOString();

const ranges: readonly {
  readonly name: string;
  readonly query: (starts: readonly number[]) => Record<string, unknown>;
  readonly indexes: readonly number[];
}[] = [
  { name: "all of them, newest first", query: () => ({}), indexes: [0, 1, 2, 3] },
  { name: "a limit", query: () => ({ limit: "2" }), indexes: [0, 1] },
  { name: "a limit beyond the most", query: () => ({ limit: 99_999_999 }), indexes: [0, 1, 2, 3] },
  { name: "a span", query: () => ({ span: 1 }), indexes: [0, 1, 2, 3] },
  { name: "a span narrowed by a limit", query: () => ({ span: 1, limit: 3 }), indexes: [0, 1, 2] },
  { name: "a start in ms", query: (starts) => ({ start: starts[1] }), indexes: [0, 1] },
  { name: "an end in ms", query: (starts) => ({ end: String(starts[2]) }), indexes: [2, 3] },
  {
    name: "start and end in ISO 8601",
    query: (starts) => ({ start: iso(starts[2] ?? 0), end: iso(starts[1] ?? 0) }),
    indexes: [1, 2],
  },
  {
    name: "start as a date of a mail",
    query: (starts) => ({ start: new Date(starts[1] ?? 0).toUTCString() }),
    indexes: [0, 1],
  },
  {
    name: "start and end swapped",
    query: (starts) => ({ start: starts[1], end: starts[3] }),
    indexes: [3, 2, 1],
  },
  {
    name: "swapped with a limit",
    query: (starts) => ({ start: starts[0], end: starts[3], limit: 2, clean: true }),
    indexes: [3, 2],
  },
  { name: "nothing before the first", query: () => ({ end: "2001-01-01" }), indexes: [] },
];

for (const { name, query, indexes } of ranges) {
  test(`results by ${name}`, async () => {
    await using cast = await createApiFixture();
    const { check, starts } = await withResults(cast, 4);
    const { body } = await cast.ask(cast.alice, `GET /results/${check.id}`, {
      clean: true,
      ...query(starts),
    });
    assert.deepEqual(
      body.map(({ s }: { s: number }) => s),
      indexes.map((index) => starts[index]),
    );
  });
}

test("300 results are given where no limit is asked for, and all of a span", async () => {
  await using cast = await createApiFixture();
  const { check } = await withResults(cast, 305);
  assert.equal((await cast.ask(cast.alice, `GET /results/${check.id}`)).body.length, 300);
  assert.equal((await cast.ask(cast.alice, `GET /results/${check.id}?span=24`)).body.length, 305);
});

test("no results are an empty list, and a missing check is not found", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  assert.equal((await cast.ask(cast.alice, `GET /results/${body._id}`)).text, "[]");
  const missing = await cast.ask(cast.alice, "GET /results/missing");
  assert.deepEqual([missing.status, missing.body], [404, { error: "Unable to find that check" }]);
});

test("uptime counts the enabled time by months, and by days where asked", async () => {
  await using cast = await createApiFixture();
  const { body: check } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    enabled: true,
  });
  await cast.clock.advance(36 * HOUR_MS);
  const months = await cast.ask(cast.alice, `GET /results/uptime/${check._id}`);
  const row = { enabled: 36 * HOUR_MS, down: 0 };
  assert.equal(months.text, JSON.stringify({ "2026-01": row, total: row }));
  const found = await cast.store.checks.find(cast.alice.account.id, check._id);
  assert.ok(found);
  const since = Number(check.created) + HOUR_MS;
  const flip = aFlip(found.check.no, { to: "passing", at: since, since });
  await cast.store.write(({ states }) => states.flip(flip));
  const days = await cast.ask(cast.alice, `GET /results/${check._id}`, {
    action: "uptime",
    interval: "days",
    start: "2026-01-04",
    end: "2026-01-06",
  });
  assert.deepEqual(days.body, {
    "2026-01-04": { enabled: 0, down: 0 },
    "2026-01-05": { enabled: 12 * HOUR_MS, down: 0, uptime: 100 },
    total: { enabled: 12 * HOUR_MS, down: 0, uptime: 100 },
  });
});

for (const [compatibility, uptime] of [
  ["standard", {}],
  ["legacy", { uptime: 100 }],
] as const)
  test(`${compatibility}: what was never measured has ${JSON.stringify(uptime)}, also with its check`, async () => {
    await using cast = await createApiFixture({ compatibility });
    const make = async (enabled: boolean): Promise<string> => {
      const { body } = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, enabled });
      return body._id;
    };
    const [off, waiting] = [await make(false), await make(true)];
    await cast.clock.advance(HOUR_MS);
    for (const [id, enabled] of [
      [off, 0],
      [waiting, HOUR_MS],
    ] as const) {
      const { body } = await cast.ask(cast.alice, `GET /results/uptime/${id}`);
      assert.deepEqual(body.total, { enabled, down: 0, ...uptime });
      const check = await cast.ask(cast.alice, `GET /checks/${id}`, { uptime: true });
      assert.deepEqual(check.body.uptime, body);
    }
  });

test("uptime ends now, also where a later end or now is asked for", async () => {
  await using cast = await createApiFixture();
  const { body: check } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    enabled: true,
  });
  await cast.clock.advance(HOUR_MS);
  for (const end of ["now", "2027-01", cast.clock.now()]) {
    const { body } = await cast.ask(cast.alice, `GET /results/uptime/${check._id}`, {
      start: check.created,
      end,
    });
    assert.equal(body.total.enabled, HOUR_MS);
  }
});

test("current events are keyed by check, by path and by action, and none are an empty object", async () => {
  await using cast = await createApiFixture();
  assert.equal((await cast.ask(cast.alice, "GET /results/current")).text, "{}");
  const { body: check } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    label: "off",
  });
  const events = { [check._id]: { type: "disabled", label: "off", t: check.created } };
  assert.deepEqual((await cast.ask(cast.alice, "GET /results/current")).body, events);
  assert.deepEqual((await cast.ask(cast.alice, "GET /results?action=CURRENT")).body, events);
});

test("events are the times in which a check was down or disabled, newest first, the last one open", async () => {
  await using cast = await createApiFixture();
  const { check } = await withResults(cast, 1);
  const path = `/results/events/${check.id}`;
  const began = cast.clock.now();
  await cast.store.write((tx) =>
    tx.states.flip(aFlip(check.no, { at: began, since: began, text: "Timeout", message: "late" })),
  );
  await cast.clock.advance(HOUR_MS);
  const disabledAt = cast.clock.now();
  await cast.ask(cast.alice, `PUT /checks/${check.id}`, { enabled: false });
  const down = {
    type: "down",
    start: began,
    end: disabledAt,
    open: false,
    code: "Timeout",
    message: "late",
  };
  const off = { type: "disabled", start: disabledAt, open: true };
  assert.deepEqual((await cast.ask(cast.alice, `GET ${path}`)).body, [off, down]);
  assert.deepEqual((await cast.ask(cast.alice, `GET ${path}?limit=1`)).body, [off]);
  assert.deepEqual((await cast.ask(cast.alice, `GET ${path}?end=${disabledAt}`)).body, [down]);
  assert.deepEqual((await cast.ask(cast.alice, `GET ${path}?start=${disabledAt}`)).body, [off]);
  assert.equal((await cast.ask(cast.carol, `GET ${path}`)).status, 404);
});

test("with detail a result has its phases, the certificate at the time and what a failing target answered", async () => {
  await using cast = await createApiFixture();
  const { check, starts } = await withResults(cast, 1);
  const [last = 0] = starts;
  const [passing, failing] = [last + 100, last + 200];
  const day = 24 * 60 * MINUTE_MS;
  const common = {
    checkNo: check.no,
    revision: check.runRevision,
    text: "200",
    message: "Success",
    runtimeMs: 12,
    location: "fra",
    earlierRuns: [],
    timings: { dns: 1, connect: 2.5, tls: 6, firstByte: 11, total: 12 },
  } as const;
  const at = (startedAt: number) => ({ tick: startedAt, startedAt, endedAt: startedAt + 12 });
  await cast.store.write(async ({ results, evidence }) => {
    await results.append({ ...common, ...at(passing), passed: true, reason: "ok" });
    await results.append({ ...common, ...at(failing), passed: false, reason: "status" });
    const run = { checkNo: check.no, location: "fra", subject: "shop.example" };
    await evidence.recordCertificate({
      ...run,
      observedAt: last - day,
      issuer: "Old",
      validTo: last,
    });
    await evidence.recordCertificate({
      ...run,
      observedAt: failing,
      issuer: "New",
      validTo: failing + 3 * day,
    });
    await evidence.record({
      checkNo: check.no,
      startedAt: failing,
      flipped: true,
      text: "HTTP 503",
    });
  });
  const detailsOf = async (query: string): Promise<readonly unknown[]> => {
    const { body } = await cast.ask(cast.alice, `GET /results/${check.id}?clean=1&limit=9${query}`);
    return body.map(({ timings, certificate, evidence }: Record<string, unknown>) => ({
      timings,
      certificate,
      evidence,
    }));
  };
  const timings = { dns: 1, connect: 2.5, tls: 6, firstbyte: 11, total: 12 };
  const nothing = { timings: undefined, certificate: undefined, evidence: undefined };
  assert.deepEqual(await detailsOf("&detail=true"), [
    {
      timings,
      certificate: {
        subject: "shop.example",
        issuer: "New",
        validto: failing + 3 * day,
        daysleft: 3,
      },
      evidence: "HTTP 503",
    },
    {
      timings,
      certificate: { subject: "shop.example", issuer: "Old", validto: last, daysleft: -1 },
      evidence: undefined,
    },
    // Its phases were not recorded, so it may have been over TLS.
    {
      ...nothing,
      certificate: { subject: "shop.example", issuer: "Old", validto: last, daysleft: 0 },
    },
  ]);
  assert.deepEqual(await detailsOf(""), [nothing, nothing, nothing]);
});
