import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import { sql } from "kysely";

import { postgresFinding } from "../../src/server/doctor/peers.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { kyselyOver } from "../../src/store/postgres/dialect.ts";
import { createPool } from "../../src/store/postgres/pool.ts";
import { MAX_ROUND_TRIP_MS } from "../../src/store/round-trip.ts";
import { distantPeer } from "../peers/distant.ts";
import { closedPort } from "../peers/tcp.ts";
import { webServer } from "../peers/web-server.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import { pgbouncer } from "../servers/pgbouncer.ts";
import { emptyDatabase, testServer } from "../stores/postgres-store.ts";
import { waitFor } from "../time/wait-for.ts";
import { logged, run, signInLinkOf, start, temporaryFolder, type Program } from "./process.ts";

const server = testServer();

const key = randomBytes(32).toString("hex");

/** A database of its own, whose owner may forbid every write, and how a service gets to it. */
async function database(port = server().port) {
  const url = await emptyDatabase(server());
  const place = new URL(url);
  place.port = String(port);
  const db = kyselyOver(createPool({ url: new Secret(url), most: 2 }));
  return {
    settings: { WATCHPOST_DATABASE_URL: place.href, WATCHPOST_INSTANCE_KEY: key },
    async forbidWrites(forbidden: boolean) {
      const name = sql.id(new URL(url).pathname.slice(1));
      const setting = sql.lit(forbidden ? "on" : "off");
      await sql`alter database ${name} set default_transaction_read_only = ${setting}`.execute(db);
      // Sessions take a setting as they begin.
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
        db,
      );
    },
    /** Runs a program, and stops it in the unit in which it first writes to a table, until the server has ended its session. */
    async stoppedInUnit(table: string, start: () => Program): Promise<Program> {
      const [program, session] = await db.transaction().execute(async (unit) => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(unit);
        await sql`lock table ${sql.table(table)} in exclusive mode`.execute(unit);
        const started = start();
        const waiting = await waitFor(`it waits for ${table}`, async () => {
          const { rows } = await sql<{ pid: number }>`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            db,
          );
          return rows[0]?.pid;
        });
        process.kill(started.pid, "SIGSTOP");
        return [started, waiting] as const;
      });
      await waitFor("the server ends its session", async () => {
        const { rows } = await sql`select 1 from pg_stat_activity where pid = ${session}`.execute(
          db,
        );
        return rows.length === 0;
      });
      process.kill(program.pid, "SIGCONT");
      return program;
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

test("all roles run in one process on PostgreSQL behind a pooler: from the first start over a flip and its alert to a restart", async () => {
  await using folder = await temporaryFolder();
  await using pooler = await pgbouncer(server());
  await using own = await database(pooler.port);
  await using web = await webServer();
  await using hook = await receiverPeer();
  let site = await start(folder.path, own.settings);
  const { token } = site;
  assert.notEqual(token, "");
  const contact = await site.api("POST contacts", {
    name: "Hook",
    custrole: "notify",
    newaddresses: [{ address: hook.url, type: "webhook" }],
  });
  const check = await site.api("POST checks", {
    type: "HTTP",
    target: web.url,
    sens: 0,
    interval: 1,
    enabled: true,
    notifications: [{ [contact._id]: "All" }],
  });
  const received = (type: string) =>
    waitFor(`a webhook of ${type}`, () =>
      hook.requests.find(({ body }) => JSON.parse(body).type === type),
    );
  await received("check.first");
  web.status = 500;
  await site.api(`PUT checks/${check._id}`, { label: "shop", interval: 2 });
  await received("check.down");
  const pushed = await site.api("POST checks", { type: "PUSH", interval: 1, enabled: true });
  assert.equal(await site.push(pushed._id, pushed.parameters.checktoken), 200);
  assert.equal(await site.kill("SIGTERM"), 0, site.log());

  await using elsewhere = await temporaryFolder();
  site = await start(elsewhere.path, own.settings, token);
  await using _site = site;
  assert.equal(signInLinkOf(site), "", "there is an account already");
  assert.equal((await site.api(`GET checks/${check._id}`)).state, 0);
  assert.equal((await site.api(`GET results/${pushed._id}`)).length, 1);
  web.status = 200;
  await site.api(`PUT checks/${check._id}`, { label: "the shop", interval: 3 });
  await received("check.up");
  assert.deepEqual(
    hook.requests.map(({ body }) => JSON.parse(body).type),
    ["check.first", "check.down", "check.up"],
  );
});

test("while the database takes no writes readiness says so and heartbeats are refused, until it does again", async () => {
  await using folder = await temporaryFolder();
  await using own = await database();
  await using site = await start(folder.path, own.settings);
  const check = await site.api("POST checks", { type: "PUSH", interval: 1, enabled: true });
  const beat = () => site.push(check._id, check.parameters.checktoken);
  const ready = async () => (await fetch(`${site.base}/readyz`)).status;
  assert.equal(await beat(), 200);
  await waitFor("it is ready", async () => (await ready()) === 200);
  await own.forbidWrites(true);
  await waitFor("a heartbeat is refused", async () => (await beat()) === 503);
  await waitFor("readiness says so", async () => (await ready()) === 503);
  await own.forbidWrites(false);
  await waitFor("one is taken", async () => (await beat()) === 200);
  await waitFor("it is ready again", async () => (await ready()) === 200);
  assert.equal(await site.kill("SIGTERM"), 0, site.log());
});

test("two that start at once on an empty database make its tables once, and one first account", async () => {
  await using own = await database();
  await using folder = await temporaryFolder();
  const sites = await Promise.all([
    start(folder.path, own.settings),
    start(folder.path, own.settings),
  ]);
  // Each was given a token of its own: that of the process that made the account works at both.
  const statuses = await Promise.all(
    sites.flatMap(({ base }) =>
      sites.map(async ({ token }) => {
        const headers = { authorization: `Basic ${btoa(`${token}:`)}` };
        return (await fetch(`${base}/api/1/checks`, { headers })).status;
      }),
    ),
  );
  assert.deepEqual(statuses.slice(0, 2), statuses.slice(2));
  assert.deepEqual(new Set(statuses), new Set([200, 403]));
  for (const site of sites) assert.equal(await site.kill("SIGTERM"), 0, site.log());
  await using stranger = run(folder.path, {
    ...own.settings,
    WATCHPOST_INSTANCE_KEY: randomBytes(32).toString("hex"),
  });
  assert.equal(await stranger.ended, 78);
  assert.match(stranger.log(), /the database was written with another instance key/);
});

test("a database that refuses us for good is a sentence at the start, without the password, and exit code 78", async () => {
  await using folder = await temporaryFolder();
  for (const [url, said] of [
    [
      `postgres://${server().user}:hunter2@127.0.0.1:${server().port}/missing`,
      /database "missing" does not exist/,
    ],
    [
      `postgres://stranger:hunter2@127.0.0.1:${server().port}/postgres`,
      /role "stranger" does not exist/,
    ],
    [
      `postgres://${server().user}:hunter2@127.0.0.1:${server().port}/missing?sslmode=require`,
      /does not support SSL/,
    ],
  ] as const) {
    await using program = run(folder.path, {
      WATCHPOST_DATABASE_URL: url,
      WATCHPOST_INSTANCE_KEY: key,
    });
    assert.equal(await program.ended, 78);
    assert.match(logged(program, "main.not_started").error, said);
    assert.doesNotMatch(program.log(), /hunter2|\n +at /);
  }
});

test("a process that starts before its database waits, answers that it is not ready, and starts once the database takes writes", async () => {
  await using folder = await temporaryFolder();
  await using own = await database();
  const [databasePort, port] = [await closedPort(), await closedPort()];
  const url = new URL(own.settings.WATCHPOST_DATABASE_URL);
  url.port = String(databasePort);
  await using program = run(folder.path, {
    WATCHPOST_DATABASE_URL: url.href,
    WATCHPOST_INSTANCE_KEY: key,
    WATCHPOST_LISTEN: `127.0.0.1:${port}`,
  });
  const readiness = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return response === undefined ? "" : `${response.status} ${await response.text()}`;
  };
  const says = (what: RegExp) =>
    waitFor(`readiness says ${what.source}`, async () => what.test(await readiness()));
  await says(/^503 .*waiting for the database: .*ECONNREFUSED/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
  assert.equal((await fetch(`http://127.0.0.1:${port}/v1`)).status, 503);
  // As a standby, until it is promoted.
  await own.forbidWrites(true);
  await using _near = await distantPeer({ port: server().port, ownPort: databasePort });
  await says(/^503 .*takes no writes/);
  assert.match(program.log(), /store\.awaiting_database/);
  await own.forbidWrites(false);
  await says(/^200 /);
  assert.equal(await program.kill("SIGTERM"), 0, program.log());
});

for (const table of ["migrations", "addresses"])
  test(`a process that is stopped for more than a second in a unit of its start, on ${table}, starts once it continues`, async () => {
    await using folder = await temporaryFolder();
    await using own = await database();
    const first = await start(folder.path, own.settings);
    assert.equal(await first.kill("SIGTERM"), 0, first.log());
    const begin = (): Program => run(folder.path, own.settings);
    await using program = await own.stoppedInUnit(table, begin);
    await waitFor("it has started, or ended", () =>
      /main\.(?:started|not_started)/.test(program.log()),
    );
    assert.match(logged(program, "store.start_retry")?.error ?? "", /idle-in-transaction timeout/);
    assert.ok(logged(program, "main.started"), program.log());
    assert.equal(await program.kill("SIGTERM"), 0, program.log());
  });

test("a database that is too far away is a line of readiness and a finding of doctor, and one that is near is neither", async () => {
  await using folder = await temporaryFolder();
  await using far = await distantPeer({
    port: server().port,
    roundTripMs: MAX_ROUND_TRIP_MS + 30,
  });
  await using own = await database(far.port);
  const site = await start(folder.path, own.settings);
  const degraded = async (): Promise<readonly string[]> =>
    JSON.parse(await (await fetch(`${site.base}/readyz`)).text()).degraded ?? [];
  const finding = () =>
    postgresFinding(new Secret(own.settings.WATCHPOST_DATABASE_URL), systemClock);
  const tooFar = /^a round trip to the database takes \d+ ms, and more than 150 ms delay/;
  await waitFor("readiness says so", async () =>
    (await degraded()).some((trouble) => tooFar.test(trouble)),
  );
  assert.equal((await fetch(`${site.base}/readyz`)).status, 200);
  const amber = await finding();
  assert.equal(amber.state, "amber");
  assert.match(amber.advice ?? "", /in one region/);
  far.roundTripMs = 0;
  assert.equal((await finding()).state, "green");
  await waitFor("it is near again", async () => (await degraded()).length === 0);
  assert.equal(await site.kill("SIGTERM"), 0, site.log());
});

test("a process that waits for its database stops when it is asked to", async () => {
  await using folder = await temporaryFolder();
  await using program = run(folder.path, {
    WATCHPOST_DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${await closedPort()}/x`,
    WATCHPOST_INSTANCE_KEY: key,
  });
  await waitFor("it waits", () => program.log().includes("store.awaiting_database"));
  assert.equal(await program.kill("SIGTERM"), 0, program.log());
  assert.doesNotMatch(program.log(), /hunter2/);
});
