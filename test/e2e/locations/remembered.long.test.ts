import assert from "node:assert/strict";
import { test } from "node:test";

import { shippedConfiguration } from "../../harnesses/nats-configuration.ts";
import { command, INSTANCE_KEY, locationsAre, main } from "../../harnesses/remote-locations.ts";
import { remoteCommandLine } from "../../command-line.ts";
import { nats } from "../../servers/nats.ts";
import { waitFor } from "../../time/wait-for.ts";
import { run, start, temporaryFolder } from "../process.ts";

test("a location that died while the service was away is gone after its start, until it is forgotten", async () => {
  await using folder = await temporaryFolder();
  const lines = [
    await command(folder.path, "nats-user", "create"),
    await command(folder.path, "location", "create", "ny", "--region", "nam"),
  ];
  await using broker = await nats(await shippedConfiguration(lines));
  const url = `nats://127.0.0.1:${broker.port}`;
  const settings = {
    WATCHPOST_FILE: "nats.env",
    WATCHPOST_NATS_URL: url,
    WATCHPOST_INSTANCE_KEY: INSTANCE_KEY,
    WATCHPOST_LOCATION: "home",
    WATCHPOST_REGION: "eur",
  };
  const probe = { WATCHPOST_FILE: "ny.env", WATCHPOST_NATS_URL: url };
  await using ny = run(folder.path, probe, [...main, "probe"]);
  let token: string | undefined;
  {
    await using site = await start(folder.path, settings);
    ({ token } = site);
    await locationsAre(site, ["home", "ny"]);
    await waitFor("it is remembered", async () => {
      const { locations } = await site.api("GET info/status");
      return locations.ny?.first_seen !== undefined;
    });
    await site.kill("SIGKILL");
  }
  await ny.kill("SIGKILL");

  await using site = await start(folder.path, settings, token);
  const status = async () => (await site.api("GET info/status")).locations;
  const { home, ny: gone } = await waitFor("it is missed", async () => {
    const found = await status();
    return found.ny === undefined ? undefined : found;
  });
  assert.deepEqual([home.live, gone.live, gone.region], [true, false, "nam"]);
  assert.ok(gone.first_seen <= gone.last_seen);
  await waitFor("readiness says so", async () => {
    const { degraded } = JSON.parse(await (await fetch(`${site.base}/readyz`)).text());
    return /location ny runs no checks: it was last seen (?:\d+ min )?\d+ s ago/.test(
      String(degraded),
    );
  });
  await waitFor("the metrics say so", async () =>
    /^watchpost_bus_location_live\{location="ny"\} 0$/m.test(
      await (await fetch(`${site.base}/metrics`)).text(),
    ),
  );

  const cli = remoteCommandLine({ url: site.base, token: site.token });
  const live = await cli("location forget home");
  assert.match(live.err, /location home is live: stop its probes, and forget it once it is not/);
  assert.deepEqual(await cli("location forget ny"), { code: 0, out: "ny forgotten\n", err: "" });
  assert.equal((await status()).ny, undefined);
  const after = await (await fetch(`${site.base}/metrics`)).text();
  assert.doesNotMatch(after, /location="ny"/);
  assert.match((await cli("location forget ny")).err, /no such location "ny"/);
});
