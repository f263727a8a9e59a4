import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { alice, bob } from "../../test/record-builders.ts";
import { createIds } from "../kit/ids.ts";
import { silentLog, type Log } from "../kit/log.ts";
import { createSealer, hashToken } from "../kit/crypto/seal.ts";
import { Secret } from "../kit/crypto/secret.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import type { AccountAdmin } from "../store/transactions/account-admin.ts";
import type { TokenAdmin } from "../store/transactions/token-admin.ts";
import { createAdministration } from "./control/administration.ts";
import { serveControlSocket } from "./control/control-socket.ts";
import { localAccountAdmin, localTokenAdmin } from "./local-administration.ts";

interface Installation extends AsyncDisposable {
  readonly directory: string;
  readonly store: Store;
  /** As the command line uses it. */
  readonly tokenAdmin: TokenAdmin;
  readonly accountAdmin: AccountAdmin;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<Store>;
}

/** A running installation with Alice and her subaccount Bob. */
async function installation(log: Log = silentLog): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), "watchpost-tokens-"));
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
      ...createAdministration({ store, ids: createIds(), clock, compatibility: "standard" }),
      log,
    });
  let control = await serve();
  let runs = true;
  const stop = async (): Promise<void> => {
    if (!runs) return;
    runs = false;
    await control.close();
    await store.close();
  };
  const settings = {
    WATCHPOST_DATA: directory,
    WATCHPOST_INSTANCE_KEY: new Secret(key.toString("hex")),
    WATCHPOST_COMPATIBILITY: "standard",
  } as const;
  return {
    directory,
    store,
    tokenAdmin: localTokenAdmin(settings),
    accountAdmin: localAccountAdmin(settings),
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

test("the running service creates and revokes a token for the command line, with effect at once", async () => {
  await using site = await installation();
  const { token, handle } = await site.tokenAdmin.create({ label: "one" });
  await site.tokenAdmin.create({ label: "other" });
  assert.deepEqual((await site.store.accounts.findByToken(hashToken(token)))?.account, alice);
  assert.deepEqual((await site.tokenAdmin.list()).map(({ label }) => label).toSorted(), [
    "one",
    "other",
  ]);
  assert.equal((await site.tokenAdmin.revoke({ handle, force: false })).label, "one");
  assert.equal(await site.store.accounts.findByToken(hashToken(token)), undefined);
});

test("where no service runs the command line opens the store itself, and releases it", async () => {
  await using site = await installation();
  await site.stop();
  const { token } = await site.tokenAdmin.create({ label: "while stopped" });
  const store = await site.start();
  assert.deepEqual((await store.accounts.findByToken(hashToken(token)))?.account, alice);
});

test("a second primary account is made through the running service, and beside none, with a token that works", async () => {
  await using site = await installation();
  const wish = { name: "Shop", ownerEmail: "owner@example.net", timeZone: "Europe/Berlin" };
  const { token, id } = await site.accountAdmin.create(wish);
  const { account } = (await site.store.accounts.findByToken(hashToken(token))) ?? {};
  assert.deepEqual([account?.id, account?.parentId], [id, undefined]);
  await assert.rejects(site.accountAdmin.create({ ...wish, ownerEmail: "nobody" }), {
    code: "invalid_input",
    message: /^owner-email: must be one mailbox/,
  });
  await site.stop();
  await site.accountAdmin.create({ name: "Later", timeZone: "0" });
  const names = (await site.accountAdmin.list()).map(({ name }) => name);
  assert.deepEqual(names.toSorted(), [alice.name, "Later", "Shop"].toSorted());
});

test("an error of the running service keeps its message and its code", async () => {
  await using site = await installation();
  const { handle } = await site.tokenAdmin.create({ label: "only" });
  await assert.rejects(site.tokenAdmin.create({ accountId: bob.id, label: "x" }), {
    code: "invalid_input",
    message: /^account: a subaccount has no tokens/,
  });
  await assert.rejects(site.tokenAdmin.revoke({ handle: "0000", force: false }), {
    code: "not_found",
    message: /^handle: no such token/,
  });
  await assert.rejects(site.tokenAdmin.revoke({ handle, force: false }), {
    code: "conflict",
    message: /^force: needed/,
  });
});

test("a locked folder without a control socket is refused as for a second service", async () => {
  await using site = await installation();
  await rm(join(site.directory, "control"));
  await assert.rejects(site.tokenAdmin.list(), {
    code: "conflict",
    message: /^another watchpost is running on the data folder/,
  });
});

test("a folder without an installation is refused, and nothing is created in it", async () => {
  await using site = await installation();
  await site.stop();
  const elsewhere = join(site.directory, "elsewhere");
  await assert.rejects(
    localTokenAdmin({
      WATCHPOST_DATA: elsewhere,
      WATCHPOST_INSTANCE_KEY: undefined,
      WATCHPOST_COMPATIBILITY: "standard",
    }).list(),
    { code: "not_found", message: /set WATCHPOST_DATA to/ },
  );
  assert.ok(!existsSync(elsewhere));
  const keyless = {
    WATCHPOST_DATA: site.directory,
    WATCHPOST_INSTANCE_KEY: undefined,
    WATCHPOST_COMPATIBILITY: "standard",
  } as const;
  await assert.rejects(localTokenAdmin(keyless).list(), { message: /instance\.key/ });
  assert.ok(!existsSync(join(site.directory, "instance.key")));
});

test("a socket that a killed process left behind is replaced", async () => {
  await using site = await installation();
  await site.stop();
  writeFileSync(join(site.directory, "control"), "");
  const store = await site.start();
  const { token } = await site.tokenAdmin.create({ label: "x" });
  assert.deepEqual((await store.accounts.findByToken(hashToken(token)))?.account, alice);
});

test("the socket can be used by the owner of the data folder alone", async () => {
  await using site = await installation();
  assert.equal(statSync(join(site.directory, "control")).mode & 0o777, 0o600);
});

test("a request that the service does not know is refused", async () => {
  await using site = await installation();
  const path = join(site.directory, "control");
  const rows = [
    { sent: "POST /tokens HTTP/1.1", status: 400, body: /^\{"error":"body: / },
    { sent: "DELETE /tokens/1234 HTTP/1.1", status: 400, body: /^\{"error":"force: / },
    { sent: "PUT /tokens HTTP/1.1", status: 501, body: /does not know this command/ },
  ];
  for (const { sent, status, body } of rows) {
    const socket = createConnection(path);
    socket.end(`${sent}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const [head = "", ...rest] = (await text(socket)).split("\r\n\r\n");
    assert.ok(head.startsWith(`HTTP/1.1 ${status} `), head);
    assert.match(rest.join(""), body);
  }
});

test("a connection that stays open does not delay the stop", async () => {
  await using site = await installation();
  const silent = createConnection(join(site.directory, "control"));
  const ended = text(silent);
  await site.tokenAdmin.list();
  await site.stop();
  assert.equal(await ended, "");
});

test("where the socket cannot be created the service runs all the same, and logs it", async () => {
  const events: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void events.push(event) };
  const directory = join(tmpdir(), "x".repeat(120));
  const settings = {
    WATCHPOST_DATA: directory,
    WATCHPOST_INSTANCE_KEY: undefined,
    WATCHPOST_COMPATIBILITY: "standard",
  } as const;
  const control = await serveControlSocket(directory, {
    tokenAdmin: localTokenAdmin(settings),
    accountAdmin: localAccountAdmin(settings),
    examineAlerting: () => assert.fail("nobody asks"),
    log,
  });
  await control.close();
  assert.deepEqual(events, ["app.control_socket_failed"]);
});
