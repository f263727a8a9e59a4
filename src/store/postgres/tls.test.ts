import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { sql } from "kysely";

import { issue } from "../../../test/peers/certificate-authority.ts";
import { postgres, type Postgres } from "../../../test/servers/postgres.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { kyselyOver } from "./dialect.ts";
import { createPool } from "./pool.ts";

const authority = issue({ subject: "the authority", authority: true });
const another = issue({ subject: "another", authority: true });
/** For the address alone: a driver that verifies another name than the one in the URL takes it for a wrong one. */
const certificate = issue({ subject: "db", names: "IP:127.0.0.1", issuer: authority });
const client = issue({ subject: "certified", issuer: authority });

const ending = new AsyncDisposableStack();
let server: Postgres;
let file: (name: string) => string;
before(async () => {
  const folder = await mkdtempDisposable(join(tmpdir(), "watchpost-"));
  ending.use({ [Symbol.asyncDispose]: () => folder.remove() });
  file = (name) => join(folder.path, name);
  const files = { ca: authority.cert, wrong: another.cert, cert: client.cert, key: client.key };
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), text);
  server = ending.use(await postgres({ certificate, clientAuthority: authority.cert }));
  await ask("postgres", "sslmode=require", "create user certified");
});
after(() => ending.disposeAsync());

/** Returns whether the connection is encrypted. */
async function ask(
  where: string | { readonly host: string; readonly user: string },
  parameters: string,
  statement = "select 1",
): Promise<boolean> {
  const { host, user } =
    typeof where === "string" ? { host: "127.0.0.1", user: server.user } : where;
  const url = `postgres://${user}:hunter2@${host}:${server.port}/postgres?${parameters}`;
  const db = kyselyOver(createPool({ url: new Secret(url), most: 1 }));
  try {
    await sql.raw(statement).execute(db);
    const { rows } = await sql<{
      ssl: boolean;
    }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db);
    return rows[0]?.ssl ?? false;
  } finally {
    await db.destroy();
  }
}

const here = "127.0.0.1";

test("each mode encrypts and verifies what it says", async () => {
  assert.equal(await ask(here, ""), false);
  assert.equal(await ask(here, "sslmode=disable"), false);
  assert.equal(await ask(here, "sslmode=require"), true);
  for (const mode of ["require", "verify-ca", "verify-full"])
    assert.equal(await ask(here, `sslmode=${mode}&sslrootcert=${file("ca")}`), true, mode);
});

test("a certificate of another authority is refused with a sentence, also where only an authority is named", async () => {
  const said =
    /cannot connect to the database at 127\.0\.0\.1:\d+: its certificate is not signed by the authority in sslrootcert/;
  for (const parameters of [
    "sslmode=verify-full",
    ...["require", "verify-ca", "verify-full"].map(
      (mode) => `sslmode=${mode}&sslrootcert=${file("wrong")}`,
    ),
  ])
    await assert.rejects(ask(here, parameters), { code: "unavailable", message: said }, parameters);
});

test("a certificate for another name is refused by verify-full alone", async () => {
  const elsewhere = { host: "localhost", user: server.user };
  const ca = `sslrootcert=${file("ca")}`;
  assert.equal(await ask(elsewhere, `sslmode=verify-ca&${ca}`), true);
  await assert.rejects(ask(elsewhere, `sslmode=verify-full&${ca}`), {
    message: /its certificate is for another name, which sslmode=verify-full refuses/,
  });
});

test("a certificate of our own lets a user in whom the server lets in by it alone", async () => {
  const certified = { host: here, user: "certified" };
  const ca = `sslmode=verify-full&sslrootcert=${file("ca")}`;
  assert.equal(await ask(certified, `${ca}&sslcert=${file("cert")}&sslkey=${file("key")}`), true);
  await assert.rejects(ask(certified, ca), {
    message: /connection requires a valid client certificate/,
  });
});

test("a file that is not there, and half of a certificate, are refused by their parameters", async () => {
  for (const [parameters, said] of [
    ["sslrootcert=/none", /sslrootcert must be the path of a file in PEM .*\/none/],
    [`sslcert=${file("cert")}`, /sslcert and sslkey need each other/],
  ] as const)
    await assert.rejects(ask(here, `sslmode=verify-full&${parameters}`), {
      code: "invalid_input",
      message: said,
    });
});
