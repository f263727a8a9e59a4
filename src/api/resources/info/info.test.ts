import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../test/api-fixture.ts";

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
