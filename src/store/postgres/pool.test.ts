import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyDatabase, testServer } from "../../../test/stores/postgres-store.ts";
import { tcpPeer } from "../../../test/peers/tcp.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { sleep, systemClock } from "../../kit/clock.ts";
import { createPool } from "./pool.ts";

const server = testServer();

test("a wait for a connection that is in use may be longer than one may take to open", async () => {
  const url = new Secret(await emptyDatabase(server()));
  const pool = createPool({ url, most: 1, connectWithinMs: 300 });
  const first = await pool.connect();
  const second = pool.connect();
  await sleep(systemClock, 900);
  first.release();
  const client = await second;
  assert.equal((await client.query("select 1", [])).rows.length, 1);
  client.release();
  await pool.end();
});

test("a server that takes a connection and says nothing is away", async () => {
  await using silent = await tcpPeer(() => {});
  const url = new Secret(`postgres://me@127.0.0.1:${silent.port}/x`);
  const pool = createPool({ url, most: 1, connectWithinMs: 100 });
  await assert.rejects(pool.connect(), {
    code: "unavailable",
    message: `cannot connect to the database at 127.0.0.1:${silent.port}: timeout expired`,
  });
  await pool.end();
});
