import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { fakeClock } from "../../test/fake-clock.ts";
import { alice, bob } from "../../test/record-builders.ts";
import { createIds } from "../kit/ids.ts";
import { silentLog } from "../kit/log.ts";
import type { Log } from "../kit/log.ts";
import { createSealer, hashToken } from "../kit/crypto/seal.ts";
import { Secret } from "../kit/crypto/secret.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { createTokenAdmin } from "../store/units/token-admin.ts";
import type { TokenAdmin } from "../store/units/token-admin.ts";
import { serveControlSocket } from "./control-socket.ts";
import { localTokenAdmin } from "./local-token-admin.ts";

interface Installation extends AsyncDisposable {
  readonly directory: string;
  readonly store: Store;
  /** From outside, as the command line has it. */
  readonly desk: TokenAdmin;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<Store>;
}

/** An installation that is at work, with Alice and her subaccount Bob. */
async function installation(log: Log = silentLog): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), "watchpost-desk-"));
  const key = randomBytes(32);
  const clock = fakeClock();
  const open = (): Promise<Store> =>
    openSqliteStore({ directory, clock, sealer: createSealer(key), log: silentLog });
  let store = await open();
  await store.write(async (tx) => {
    for (const account of [alice, bob]) await tx.accounts.insert(account);
  });
  const serve = () =>
    serveControlSocket(directory, {
      desk: createTokenAdmin({ store, ids: createIds(), clock }),
      log,
    });
  let control = await serve();
  let runs = true;
  const stop = async (): Promise<void> => {
    if (!runs) return;
    runs = false;
    control.close();
    await store.close();
  };
  return {
    directory,
    store,
    desk: localTokenAdmin({
      WATCHPOST_DATA: directory,
      WATCHPOST_INSTANCE_KEY: new Secret(key.toString("hex")),
    }),
    stop,
    async start() {
      store = await open();
      control = await serve();
      runs = true;
      return store;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(directory, { recursive: true });
    },
  };
}

test("a process that runs makes and revokes a token for the command line, from then on", async () => {
  await using site = await installation();
  const { token, handle } = await site.desk.create({ label: "one" });
  await site.desk.create({ label: "other" });
  assert.deepEqual(await site.store.accounts.findByToken(hashToken(token)), alice);
  assert.deepEqual((await site.desk.list()).map(({ label }) => label).toSorted(), ["one", "other"]);
  assert.equal((await site.desk.revoke({ handle, force: false })).label, "one");
  assert.equal(await site.store.accounts.findByToken(hashToken(token)), undefined);
});

test("where none runs the command line does it itself, and leaves the folder to the next", async () => {
  await using site = await installation();
  await site.stop();
  const { token } = await site.desk.create({ label: "while stopped" });
  const store = await site.start();
  assert.deepEqual(await store.accounts.findByToken(hashToken(token)), alice);
});

test("a refusal of the process that runs keeps its sentence and its code", async () => {
  await using site = await installation();
  const { handle } = await site.desk.create({ label: "only" });
  await assert.rejects(site.desk.create({ accountId: bob.id, label: "x" }), {
    code: "invalid_input",
    message: /^account: a subaccount has no tokens/,
  });
  await assert.rejects(site.desk.revoke({ handle: "0000", force: false }), {
    code: "not_found",
    message: /^handle: no such token/,
  });
  await assert.rejects(site.desk.revoke({ handle, force: false }), {
    code: "conflict",
    message: /^force: needed/,
  });
});

test("a folder that somebody holds without answering is refused as a second program would be", async () => {
  await using site = await installation();
  await rm(join(site.directory, "control"));
  await assert.rejects(site.desk.list(), {
    code: "conflict",
    message: /^another watchpost is running on the data folder/,
  });
});

test("a folder of no installation is refused, and nothing is made in it", async () => {
  await using site = await installation();
  await site.stop();
  const elsewhere = join(site.directory, "elsewhere");
  await assert.rejects(
    localTokenAdmin({ WATCHPOST_DATA: elsewhere, WATCHPOST_INSTANCE_KEY: undefined }).list(),
    { code: "not_found", message: /WATCHPOST_DATA has to name/ },
  );
  assert.ok(!existsSync(elsewhere));
  const keyless = { WATCHPOST_DATA: site.directory, WATCHPOST_INSTANCE_KEY: undefined };
  await assert.rejects(localTokenAdmin(keyless).list(), { message: /instance\.key/ });
  assert.ok(!existsSync(join(site.directory, "instance.key")));
});

test("what a killed process has left at the socket's place is in nobody's way", async () => {
  await using site = await installation();
  await site.stop();
  writeFileSync(join(site.directory, "control"), "");
  const store = await site.start();
  const { token } = await site.desk.create({ label: "x" });
  assert.deepEqual(await store.accounts.findByToken(hashToken(token)), alice);
});

test("a call that nobody understands is refused, and one that never ends holds no stop up", async () => {
  await using site = await installation();
  const path = join(site.directory, "control");
  const nonsense = createConnection(path).end("nonsense");
  assert.match(await text(nonsense), /^\{"error":\{/);
  const silent = createConnection(path);
  const ended = text(silent);
  await site.desk.list();
  await site.stop();
  assert.equal(await ended, "");
});

test("without a place for the socket the process runs all the same, and says so", async () => {
  const events: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void events.push(event) };
  const directory = join(tmpdir(), "x".repeat(120));
  const desk = localTokenAdmin({ WATCHPOST_DATA: directory, WATCHPOST_INSTANCE_KEY: undefined });
  const control = await serveControlSocket(directory, { desk, log });
  control.close();
  assert.deepEqual(events, ["app.control_socket_failed"]);
});
