import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createApiFixture,
  plainCheck,
  type ApiFixture,
  type Person,
} from "../../../test/api-fixture.ts";
import type { DiagnosticsRequest } from "../../bus/bus.ts";
import type { DiagnosticsFinding } from "../../domain/diagnostics.ts";

const findings: readonly DiagnosticsFinding[] = [
  { tool: "route", about: "192.0.2.1", text: "one\ntwo" },
];

async function madeBy(cast: ApiFixture, person: Person): Promise<string> {
  return (await cast.ask(person, "POST /checks", plainCheck)).body._id;
}

test("what was found when a check went down is listed, newest first, to its account alone", async () => {
  await using cast = await createApiFixture();
  const id = await madeBy(cast, cast.alice);
  const record = await cast.store.checks.find(cast.alice.account.id, id);
  assert.ok(record);
  const now = cast.clock.now();
  for (const nth of [1, 2]) {
    await cast.store.write(async ({ diagnostics }) => {
      await diagnostics.insert({
        id: `look ${nth}`,
        accountId: cast.alice.account.id,
        checkNo: record.check.no,
        checkId: id,
        outage: "flip",
        location: "fra",
        createdAt: now,
      });
      const claimed = await diagnostics.claim({ leaseMs: 1000 });
      assert.ok(claimed);
      await diagnostics.finish(claimed, { at: now + 10 * nth, findings });
    });
  }
  const shown = (nth: number) => ({
    check_id: id,
    _id: `look ${nth}`,
    location: "fra",
    start: now,
    end: now + 10 * nth,
    findings,
  });
  assert.deepEqual((await cast.ask(cast.alice, `GET /diagnostics/${id}`)).body, [
    shown(2),
    shown(1),
  ]);
  assert.deepEqual((await cast.ask(cast.alice, `GET /diagnostics/${id}?limit=1`)).body, [shown(2)]);
  for (const stranger of [cast.bob, cast.carol])
    assert.equal((await cast.ask(stranger, `GET /diagnostics/${id}`)).status, 404);
});

const spellings = [
  ["mtr", "route"],
  ["traceroute", "route"],
  ["dig", "lookup"],
  ["pageload", "page"],
  ["Route", "route"],
] as const;

for (const [tool, meant] of spellings) {
  test(`tool=${tool} looks now with ${meant}, from where it is asked to`, async () => {
    const orders: (readonly [string, DiagnosticsRequest])[] = [];
    await using cast = await createApiFixture({
      locations: () => ["fra", "nyc"].map((code) => ({ code, region: undefined })),
      async runDiagnostics(location, order) {
        orders.push([location, order]);
        return findings;
      },
    });
    const id = await madeBy(cast, cast.alice);
    const { body } = await cast.ask(cast.alice, `GET /diagnostics/${id}?tool=${tool}&location=NYC`);
    const now = cast.clock.now();
    assert.deepEqual(body, [{ check_id: id, location: "nyc", start: now, end: now, findings }]);
    const [[location, order] = []] = orders;
    assert.deepEqual([location, order?.tools, order?.type], ["nyc", [meant], "HTTP"]);
    await cast.ask(cast.alice, `GET /diagnostics/${id}?tool=${tool}`);
    assert.equal(orders[1]?.[0], "fra");
    assert.deepEqual((await cast.ask(cast.alice, `GET /diagnostics/${id}`)).body, []);
  });
}

for (const [query, error] of [
  ["tool=screenshot", /^tool: must be one of mtr, traceroute, dig, pageload/],
  ["tool=mtr&location=xyz", /^location: must be one of fra$/],
] as const) {
  test(`${query} is refused with what would be right`, async () => {
    await using cast = await createApiFixture();
    const id = await madeBy(cast, cast.alice);
    const { status, body } = await cast.ask(cast.alice, `GET /diagnostics/${id}?${query}`);
    assert.equal(status, 400);
    assert.match(body.error, error);
  });
}

test("without an id it says that one is needed", async () => {
  await using cast = await createApiFixture();
  const { status, body } = await cast.ask(cast.alice, "GET /diagnostics");
  assert.deepEqual([status, body.error], [400, "id: required"]);
});
