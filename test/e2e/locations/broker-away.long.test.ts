import assert from "node:assert/strict";
import { test } from "node:test";

import { shippedConfiguration } from "../../harnesses/nats-configuration.ts";
import {
  command,
  INSTANCE_KEY,
  locationsAfter,
  locationsAre,
  main,
  newestResults,
  runAll,
  target,
} from "../../harnesses/remote-locations.ts";
import { closedPort } from "../../peers/tcp.ts";
import { receiverPeer } from "../../peers/webhook-receiver.ts";
import { nats } from "../../servers/nats.ts";
import { waitFor } from "../../time/wait-for.ts";
import { run, start, temporaryFolder, type CheckRecord } from "../process.ts";

/** The remote location has the first run of each with a chance of one in two. */
const ANYWHERE = 4;

test("while the NATS server is away, the service's own location finds an outage and alerts", async () => {
  await using folder = await temporaryFolder();
  const configuration = await shippedConfiguration([
    await command(folder.path, "nats-user", "create"),
    await command(folder.path, "location", "create", "ny", "--region", "nam"),
  ]);
  const port = await closedPort();
  const url = `nats://127.0.0.1:${port}`;
  const broker = await nats(configuration, { port });
  await using hook = await receiverPeer();
  await using web = await target();
  await using site = await start(folder.path, {
    WATCHPOST_FILE: "nats.env",
    WATCHPOST_NATS_URL: url,
    WATCHPOST_INSTANCE_KEY: INSTANCE_KEY,
    WATCHPOST_LOCATION: "home",
    WATCHPOST_REGION: "eao",
  });
  await using _ny = run(folder.path, { WATCHPOST_FILE: "ny.env", WATCHPOST_NATS_URL: url }, [
    ...main,
    "probe",
  ]);
  await locationsAre(site, ["home", "ny"]);
  const contact = await site.api("POST contacts", {
    name: "Hook",
    custrole: "notify",
    newaddresses: [{ address: `${hook.url}/hook`, type: "webhook" }],
  });
  const [hookId = ""] = Object.keys(contact.addresses);
  const create = (region: string): Promise<CheckRecord> =>
    site.api("POST checks", {
      type: "HTTP",
      target: web.url,
      interval: 60,
      threshold: 10,
      sens: 2,
      recheckwait: 0,
      runlocations: [region],
      notifications: [{ [hookId]: "All" }],
      enabled: true,
    });
  const anywhere: CheckRecord[] = [];
  const ranAtNy = async (): Promise<boolean> =>
    (await locationsAfter([], site, anywhere)).includes("ny");
  while (anywhere.length < ANYWHERE || !(await ranAtNy())) anywhere.push(await create("wlw"));
  const far = await create("nam");
  assert.deepEqual(await locationsAfter([], site, [far]), ["ny"]);
  const downs = (): readonly string[] =>
    hook.requests
      .map(({ body }) => JSON.parse(body))
      .filter(({ type }) => type === "check.down")
      .map(({ check }) => String(check.id));

  await broker[Symbol.asyncDispose]();
  web.status = 500;
  await runAll(site, [...anywhere, far]);
  await waitFor(
    "every check that may run anywhere alerts",
    () => downs().length >= anywhere.length,
  );
  assert.deepEqual(downs().toSorted(), anywhere.map(({ _id }) => _id).toSorted());
  for (const result of await newestResults(site, anywhere))
    assert.deepEqual(new Set(Object.values(result?.l ?? {})), new Set(["home"]));
  for (const { _id } of anywhere) assert.equal((await site.api(`GET checks/${_id}`)).state, 0);

  const isReadyWithoutBroker = async (): Promise<boolean> => {
    const { ready, degraded } = JSON.parse(await (await fetch(`${site.base}/readyz`)).text());
    return ready === true && /there is no connection to the NATS server/.test(String(degraded));
  };
  await waitFor("it is ready, and says what it lacks", isReadyWithoutBroker);
  await waitFor("the check of the other region says why it was not run", async () => {
    const { trouble } = await site.api(`GET checks/${far._id}`);
    return trouble?.reason === "no_broker";
  });
  assert.equal((await site.api(`GET checks/${far._id}`)).state, 1);
  assert.equal(downs().length, anywhere.length);

  await using _back = await nats(configuration, { port });
  await waitFor("its outage is found once its location can be asked", () =>
    downs().includes(far._id),
  );
});
