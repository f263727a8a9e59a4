import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../../../test/api-fixture.ts";

const locations = () =>
  [
    { code: "fra", region: "eur" },
    { code: "ny", region: "nam" },
    { code: "everywhere", region: undefined },
  ] as const;
const frankfurt = {
  country: "",
  ipv4: "",
  ipv6: "",
  location: "fra",
  locationname: "fra",
  region: "eur",
  regionname: "Europe",
};

test("the live locations are given by code, and one alone in any case", async () => {
  await using cast = await createApiFixture({ locations });
  const { body } = await cast.ask(cast.alice, "GET /info/probe");
  assert.deepEqual(Object.keys(body), ["fra", "ny", "everywhere"]);
  assert.deepEqual(body.fra, frankfurt);
  assert.equal(body.everywhere.region, "wlw");
  assert.deepEqual((await cast.ask(cast.alice, "GET /info/probe/FRA")).body, frankfurt);
});

test("a region lists the locations that count for it", async () => {
  await using cast = await createApiFixture({ locations });
  const { body } = await cast.ask(cast.alice, "GET /info/location");
  assert.deepEqual(body, {
    nam: { locations: ["ny", "everywhere"], regionname: "North America" },
    lam: { locations: ["everywhere"], regionname: "Latin America" },
    eur: { locations: ["fra", "everywhere"], regionname: "Europe" },
    eao: { locations: ["everywhere"], regionname: "East Asia and Oceania" },
  });
  assert.deepEqual((await cast.ask(cast.alice, "GET /info/location/nam")).body, body.nam);
  const worldwide = await cast.ask(cast.alice, "GET /info/location/wlw");
  assert.deepEqual(worldwide.body.locations, ["fra", "ny", "everywhere"]);
});

test("a location or a region that is not there is refused, and so is a bare path and a stranger", async () => {
  await using cast = await createApiFixture({ locations });
  const probe = await cast.ask(cast.alice, "GET /info/probe/atlantis");
  assert.deepEqual([probe.status, probe.body.error], [404, 'no such location "atlantis"']);
  const region = await cast.ask(cast.alice, "GET /info/location/mars");
  assert.deepEqual(
    [region.status, region.body.error],
    [400, "id: must be one of nam, lam, eur, eao, wlw"],
  );
  assert.equal((await cast.ask(cast.alice, "GET /info")).status, 405);
  assert.equal((await cast.ask("nobody", "GET /info/probe")).status, 403);
});

test("the active checks of an account are counted at every location that has a turn, and those that no live location runs", async () => {
  await using cast = await createApiFixture({ locations });
  const { alice } = cast;
  const add = (parameters: object) =>
    cast.ask(alice, "POST /checks", { ...plainCheck, ...parameters });
  await add({ enabled: true, runlocations: ["ny"] });
  await add({ enabled: true, runlocations: ["eur"] });
  await add({ enabled: true, runlocations: ["ny", "eur"], homeloc: "fra" });
  await add({ runlocations: ["ny"] });
  await cast.ask(cast.bob, "POST /checks", { ...plainCheck, enabled: true });
  const { body } = await cast.ask(alice, "GET /info/status");
  assert.deepEqual(Object.keys(body.locations), ["fra", "ny", "everywhere"]);
  const checks = Object.values<{ readonly checks: number }>(body.locations).map(
    (location) => location.checks,
  );
  assert.deepEqual(checks, [2, 1, 2]);
  assert.equal(body.unserved, 0);
});

test("a location that is not live is listed where a check names it, and the check is not served", async () => {
  await using cast = await createApiFixture({ locations: () => [{ code: "fra", region: "eur" }] });
  await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    enabled: true,
    runlocations: ["nam"],
  });
  const { body } = await cast.ask(cast.alice, "GET /info/status");
  assert.deepEqual(body, {
    locations: {
      fra: { live: true, region: "eur", checks: 0, undecided: 0 },
      nam: { live: false, checks: 1, undecided: 0 },
    },
    unserved: 1,
  });
});

test("a location that cannot be asked is not live, and its checks are not served", async () => {
  await using cast = await createApiFixture({
    locations: () => [{ code: "ny", region: "nam", isAway: true }],
  });
  await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    enabled: true,
    runlocations: ["nam"],
  });
  const { body } = await cast.ask(cast.alice, "GET /info/status");
  assert.deepEqual(body, {
    locations: { ny: { live: false, region: "nam", checks: 1, undecided: 0 } },
    unserved: 1,
  });
});

test("a location that is gone says when it was seen last, also where no check names it", async () => {
  await using cast = await createApiFixture({
    locations: () => [{ code: "fra", region: "eur" }],
    goneLocations: () => [{ code: "ams", region: "eur", seenMsAgo: 90_000 }],
  });
  const { body } = await cast.ask(cast.alice, "GET /info/status");
  assert.deepEqual(body.locations.ams, {
    live: false,
    last_seen: cast.clock.now() - 90_000,
    region: "eur",
    checks: 0,
    undecided: 0,
  });
});

/** A fixture whose location `ny` is gone, and `ld` is live. */
async function withRemembered() {
  const forgotten: string[] = [];
  const cast = await createApiFixture({
    locations: () => [{ code: "ld", region: "eur" }],
    goneLocations: () => [{ code: "ny", region: "nam", seenMsAgo: 90_000 }],
    forgotLocation: (code) => void forgotten.push(code),
  });
  const at = cast.clock.now();
  await cast.store.write(async ({ locations }) => {
    await locations.saw({ code: "ny", region: "nam", version: "1.2.3" }, at);
    await locations.saw({ code: "ld", region: "eur", version: undefined }, at);
  });
  return { ...cast, forgotten };
}

test("a location on another machine says since when it is known, and the version of its probes", async () => {
  await using cast = await withRemembered();
  const { body } = await cast.ask(cast.alice, "GET /info/status");
  const { ny, ld } = body.locations;
  assert.deepEqual([ny.first_seen, ny.version], [cast.clock.now(), "1.2.3"]);
  assert.deepEqual([ld.first_seen, "version" in ld], [cast.clock.now(), false]);
});

test("the owner of the first account has a location that is gone forgotten, once, and the audit log says so", async () => {
  await using cast = await withRemembered();
  const { body: before } = await cast.ask(cast.alice, "GET /info/status");
  assert.deepEqual(
    [before.locations.ny.forgettable, before.locations.ld.forgettable],
    [true, undefined],
  );
  const forget = () => cast.ask(cast.alice, "POST /info/forget/NY");
  const { status, body } = await forget();
  assert.deepEqual([status, body, cast.forgotten], [200, { ok: true, id: "ny" }, ["ny"]]);
  assert.deepEqual(
    (await cast.store.locations.list()).map(({ code }) => code),
    ["ld"],
  );
  const again = await forget();
  assert.deepEqual([again.status, again.body], [404, { error: 'no such location "NY"' }]);
  const { body: log } = await cast.ask(cast.alice, "GET /audit?resource=info");
  assert.deepEqual(
    log.map(({ operation, record, by }: Record<string, string>) => [operation, record, by]),
    [["FORGET info", "ny", "token"]],
  );
});

test("a location that is live is not forgotten", async () => {
  await using cast = await withRemembered();
  const { status, body } = await cast.ask(cast.alice, "POST /info/forget/ld");
  assert.deepEqual(
    [status, body.error],
    [400, "id: location ld is live: stop its probes, and forget it once it is not"],
  );
  assert.equal((await cast.store.locations.list()).length, 2);
});

test("neither a subaccount nor another account forgets a location, and to each it is not offered", async () => {
  await using cast = await withRemembered();
  for (const who of [cast.bob, cast.carol]) {
    const { status, body } = await cast.ask(who, "POST /info/forget/ny");
    assert.deepEqual(
      [status, body.error],
      [403, "only the owner of the first account of this installation may forget a location"],
    );
    const { body: seen } = await cast.ask(who, "GET /info/status");
    assert.deepEqual(
      [seen.locations.ny.last_seen, seen.locations.ny.forgettable],
      [cast.clock.now() - 90_000, undefined],
    );
  }
  assert.deepEqual([cast.forgotten, (await cast.store.locations.list()).length], [[], 2]);
});
