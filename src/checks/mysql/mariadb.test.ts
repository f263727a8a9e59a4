import assert from "node:assert/strict";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream";
import test, { after, before } from "node:test";

import { contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { tcpPeer, type Peer } from "../../../test/peers/tcp.ts";
import { trustedCertificate } from "../../../test/peers/trusted-certificate.ts";
import { mariadb, type Mariadb } from "../../../test/servers/mariadb.ts";
import { serverFolder } from "../../../test/servers/server.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import { mysqlCheck } from "./mysql.ts";

const certificate = trustedCertificate();
const credentials = { username: "alice", password: "s3cret" };
const target = ({ host, port }: Pick<Peer, "host" | "port">) => ({ target: host, port });
const setup = [
  "install soname 'auth_ed25519'",
  "create user alice@'127.0.0.1' identified by 's3cret'",
  "create user empty@'127.0.0.1'",
  "create user eddy@'127.0.0.1' identified via ed25519 using password('s3cret')",
  "create user locked@'127.0.0.1' identified by 's3cret' account lock",
  "create user secure@'127.0.0.1' identified by 's3cret' require ssl",
  "create user once@'127.0.0.1' identified by 's3cret' with max_connections_per_hour 1",
  "create database shop",
  "create table shop.sales (sold int, price decimal(5, 2), note text)",
  "insert into shop.sales values (3, 9.95, null), (4, 1, 'x')",
  "create definer = root@'127.0.0.1' procedure shop.best() select max(sold) as best from shop.sales",
  "grant all on shop.* to alice@'127.0.0.1'",
];
let data: string;
let server: Mariadb;
before(async () => {
  data = join(await serverFolder(), "data");
  server = await mariadb({ data, certificate, setup });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(dirname(data), { recursive: true });
});
const run = (parameters: object = {}): Promise<Outcome> =>
  mysqlCheck.prepare({ ...target(server), ...parameters }).run(contextOf());

const shop = { ...credentials, database: "shop" };
const sales = { ...shop, query: "select * from sales order by sold" };
const noEntry = "Login failed: access denied";
const visits = [
  { parameters: {}, message: "Responded" },
  { parameters: { database: "shop" }, message: "Responded" },
  { parameters: credentials, message: "Success" },
  { parameters: shop, message: "Success" },
  { parameters: { username: "empty" }, message: "Success" },
  { parameters: { ...credentials, password: "wrong" }, message: noEntry },
  { parameters: { username: "alice" }, message: noEntry },
  { parameters: { ...credentials, username: "nobody" }, message: noEntry },
  { parameters: { query: "select 1" }, message: noEntry },
  {
    parameters: { ...credentials, username: "eddy" },
    message: "Login failed: the server wants a way to log in that is not known here",
  },
  {
    parameters: { ...credentials, username: "locked" },
    message: "Login failed: the account is locked",
  },
  {
    parameters: { ...credentials, database: "mysql" },
    message: "Login failed: no access to the database",
  },
  { parameters: { username: "root", database: "nowhere" }, message: "Refused: unknown database" },
  { parameters: sales, message: "Success" },
  {
    parameters: { ...sales, fields: { a: { name: "sold", max: 3 }, b: { name: "price" } } },
    message: "All fields within parameters",
  },
  {
    parameters: { ...sales, fields: { a: { name: "sold", min: 4 }, b: { name: "note" } } },
    message: "sold:3 (min 4). note:absent",
  },
  {
    parameters: { ...shop, query: "call best()", fields: { a: { name: "best", min: 4 } } },
    message: "All fields within parameters",
  },
  { parameters: { ...shop, query: "do 1" }, message: "Success" },
  { parameters: { ...shop, query: "select" }, message: "Query failed: error 1064" },
  { parameters: { ...shop, query: "select * from gone" }, message: "Query failed: error 1146" },
  {
    parameters: { ...shop, query: "load data local infile '/etc/hosts' into table sales" },
    message: "Query failed: error 4166",
  },
  { parameters: { ...shop, query: "select seq from seq_1_to_100000" }, message: "Success" },
  {
    parameters: { ...shop, query: "select repeat('x', 2000000)" },
    message: "Protocol error: more than 1048576 bytes",
  },
];
for (const secure of [false, "ssl"]) {
  for (const { parameters, message } of visits) {
    test(`with ${JSON.stringify({ secure, ...parameters })} says ${message}`, async () => {
      const outcome = await run({ secure, ...parameters });
      assert.equal(outcome.message, message);
      const name = secure === false ? undefined : "localhost";
      assert.equal(outcome.certificate?.subject, name);
    });
  }
}

test("shows its version where it fails", async () => {
  const { evidence = "" } = await run({ ...credentials, password: "wrong" });
  assert.match(evidence, /^10\.\d+\.\d+-MariaDB\S*\nError 1045: Access denied for user 'alice'/);
});

test("lets a user in over TLS who may come in no other way", async () => {
  const user = { ...credentials, username: "secure" };
  assert.equal((await run(user)).message, noEntry);
  assert.equal((await run({ ...user, secure: "ssl" })).message, "Success");
});

test("says that a user has used up a limit", async () => {
  const user = { ...credentials, username: "once" };
  assert.equal((await run(user)).message, "Success");
  const { reason, message } = await run(user);
  assert.deepEqual([reason, message], ["status", "Refused: the user has used up a limit"]);
});

/** The server sees each connection as one from there. */
function callingFrom(localAddress: string): Promise<Peer> {
  return tcpPeer((socket) => {
    const onward = connect({ host: server.host, port: server.port, localAddress });
    pipeline(socket, onward, socket, () => {});
  });
}

test("says that nobody may come from there", async () => {
  await using relay = await callingFrom("127.0.0.2");
  const outcome = await mysqlCheck.prepare(target(relay)).run(contextOf());
  assert.deepEqual(
    [outcome.reason, outcome.text, outcome.message],
    [
      "status",
      "Error 1130",
      `Refused: "1130 Host '127.0.0.2' is not allowed to connect to this MariaDB server"`,
    ],
  );
});

test("says that there are too many connections, and serves again once there are not", async () => {
  const held: Socket[] = [];
  /** Holds one more connection whenever this still passes. */
  const fillUntil = (wanted: string, parameters: object): Promise<boolean> =>
    waitFor(wanted, async () => {
      const { passed, reason, message } = await run(parameters);
      if (passed) {
        const socket = connect(server.port, server.host);
        held.push(socket);
        await once(socket, "data");
      } else assert.equal(reason, "status");
      return message === wanted;
    });
  // The last slot is reserved for root, so other users learn only at login that none is left.
  await fillUntil("Refused: too many connections", credentials);
  await fillUntil('Refused: "1040 Too many connections"', {});
  for (const socket of held) socket.destroy();
  await waitFor("it serves", async () => (await run(credentials)).passed);
});

/** Connections that were left before the server had answered a login: after enough of them it blocks who calls. */
const leftEarly = {
  username: "root",
  query: `select variable_value as "left" from information_schema.global_status
    where variable_name = 'aborted_connects_preauth'`,
  fields: { left: { name: "left", max: 0 } },
};

test("is gone with the server, and there again without TLS, and nobody leaves it early", async () => {
  await server[Symbol.asyncDispose]();
  assert.equal((await run()).reason, "refused");
  server = await mariadb({ port: server.port, data });
  assert.equal((await run(sales)).message, "Success");
  const secure = { ...credentials, secure: "ssl" };
  assert.equal((await run(secure)).message, "TLS error: the server offers none");
  await run();
  assert.equal((await run(leftEarly)).message, "All fields within parameters");

  const leaving = connect(server.port, server.host);
  await once(leaving, "data");
  leaving.destroy();
  await waitFor("it is counted", async () => (await run(leftEarly)).text === "Failure");
});
