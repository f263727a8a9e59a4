import assert from "node:assert/strict";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";

import { systemClock } from "../../../src/kit/clock.ts";
import { ntpPeer } from "../../harnesses/ntp-peer.ts";
import { waitFor } from "../../time/wait-for.ts";
import {
  logged,
  root,
  run,
  start,
  temporaryFolder,
  type CheckRecord,
  type RunningInstallation,
} from "../process.ts";
import { ownDisk, type OwnDisk } from "../trouble.ts";
import { followGuide, type Guide } from "./guide.ts";

const HOUR_MS = 3_600_000;
const DISK_MEGABYTES = 192;

suite("docs/worst-day.md", () => {
  const ending = new AsyncDisposableStack();
  const values: Record<string, string> = {};
  let folder: string;
  let disk: OwnDisk;
  let site: RunningInstallation;
  let guide: Guide;
  let check: CheckRecord;

  before(async () => {
    folder = ending.use(await temporaryFolder()).path;
    disk = ending.use(await ownDisk(DISK_MEGABYTES));
    for (const path of ["/var/backups", "/mnt/larger"]) values[path] = join(folder, path);
    guide = ending.use(await followGuide({ document: "docs/worst-day.md", folder, values }));
    await guide.also("mkdir -p /var/backups /mnt/larger");
    await begin(join(disk.path, "data"));
    check = await site.api("POST checks", { type: "PUSH", label: "Home page", enabled: true });
  });
  after(() => ending.disposeAsync());

  /** Starts the service on a data folder, which is that of the commands from then on. */
  const begin = async (data: string, token?: string): Promise<void> => {
    site = ending.use(await start(folder, { WATCHPOST_DATA: data }, token));
    const { host } = new URL(site.base);
    await guide.also(
      `export WATCHPOST_DATA=${data} WATCHPOST_LISTEN=${host} WATCHPOST_TOKEN=${site.token}`,
    );
  };
  const beat = (): Promise<number> => site.push(check._id, String(check.parameters.checktoken));
  const readiness = async (): Promise<string> => (await fetch(`${site.base}/readyz`)).text();
  /** A step of the guide that ends with an error. */
  const failing = async (heading: string): Promise<string> => {
    await guide.also("set +e");
    const said = await guide.follow(heading);
    await guide.also("set -e");
    return said;
  };

  test("a backup is made, and doctor finds nothing that does not work", async () => {
    await waitFor("readiness", async () => (await fetch(`${site.base}/readyz`)).ok);
    assert.match(await guide.follow("Before it comes"), /is whole: /);
  });

  test("tokens are replaced and the owner signs in without a token", async () => {
    const [old = ""] = Object.values<{ readonly _id: string }>(await site.api("GET tokens")).map(
      ({ _id }) => _id,
    );
    values["<handle>"] = old;
    const said = await guide.follow("A token is lost, or known to others");
    const [, made = ""] = /^([\w-]{36})$/m.exec(said) ?? [];
    const refused = await fetch(`${site.base}/api/1/checks?token=${site.token}`);
    assert.equal(refused.status, 403);
    const taken = await fetch(`${site.base}/api/1/checks?token=${made}`);
    assert.equal(taken.status, 200);
    await guide.also(`export WATCHPOST_TOKEN=${made}`);
    const contacts = JSON.parse(
      (await guide.also("./watchpost contact list --json")).replace(/done step.*/, ""),
    );
    values["<contact>"] = Object.keys(contacts)[0] ?? "";
    const links = await guide.follow("The owner cannot sign in");
    // A new link ends the one before.
    const link = links.match(/http\S+\/start\?link=\S+/g)?.at(-1) ?? "";
    assert.equal((await fetch(link.replace(/^http:\/\/[^/]+/, site.base))).status, 200);
    site = { ...site, token: made };
  });

  test("a clock that is wrong, a database that is away and an alert that is refused are said", async () => {
    await using server = await ntpPeer({ now: () => systemClock.now() - HOUR_MS });
    values["--ntp"] = `--ntp ${server.host}:${server.port}`;
    assert.match(await failing("The clock is wrong"), /^red +clock by NTP +\d{7} ms ahead of/m);
    await guide.also(
      `export WATCHPOST_DATABASE_URL=postgres://x:y@127.0.0.1:1/z WATCHPOST_INSTANCE_KEY=${"ab".repeat(32)}`,
    );
    assert.match(await failing("PostgreSQL is away"), /^red +PostgreSQL .*ECONNREFUSED/m);
    await guide.also("unset WATCHPOST_DATABASE_URL WATCHPOST_INSTANCE_KEY");
    await guide.also(
      `./watchpost contact edit Owner --newaddresses '[{"type": "email", "address": "a@example.com"}]'`,
    );
    assert.match(await failing("Alerts do not arrive"), /a@example\.com +no .*mail server/);
  });

  test("a full disk is left with a backup", async () => {
    {
      using _ = disk.fill();
      const full = /"degraded":\[[^\]]*the disk is full/;
      await waitFor("readiness says so", async () => {
        assert.equal(await beat(), 200, "a heartbeat is taken from the reserve");
        return full.test(await readiness());
      });
      assert.match(await guide.follow("The disk is full"), /^Restored "/m);
    }
    await waitFor("the disk has room again", async () => !/disk is full/.test(await readiness()));
    assert.equal(await beat(), 200);
    await site.kill("SIGKILL");
  });

  test("a lost machine is replaced by a new one with a backup", async () => {
    const data = join(folder, "data");
    await guide.also(`export WATCHPOST_DATA=${data}`);
    assert.match(await guide.follow("The machine is lost"), /1 check/);
    // The token that was made since the backup is not in it.
    const token = (await guide.also("./watchpost token create 2>/dev/null")).split("\n")[0];
    await begin(data, token);
    assert.equal(await beat(), 200);
    await site.kill("SIGTERM");
  });

  test("a damaged database says so, to everybody who asks and from the start, and a backup takes its place", async () => {
    const data = join(folder, "data");
    await damage(join(data, "watchpost.db"), "checks");
    await begin(data, site.token);
    const damaged = /the database is damaged \(database disk image is malformed\)/;
    await waitFor("readiness says so", async () => damaged.test(await readiness()));
    assert.equal((await fetch(`${site.base}/readyz`)).status, 503);
    await assert.rejects(site.api("GET checks"), /503 .*the database is damaged/);
    await site.kill("SIGTERM");
    await damage(join(data, "watchpost.db"), "sqlite_schema");
    await using refused = run(folder, { WATCHPOST_DATA: data }, [join(root, "watchpost")]);
    assert.equal(await refused.ended, 1);
    assert.match(
      logged(refused, "main.not_started").error,
      /cannot be opened: the database is damaged .*worst-day\.md$/,
    );
    assert.match(await guide.follow("The database is damaged"), /1 check/);
    const token = (await guide.also("./watchpost token create 2>/dev/null")).split("\n")[0];
    await begin(data, token);
    assert.equal(await beat(), 200);
  });

  test("without its key an installation is carried over to a new one", async () => {
    const data = join(folder, "data");
    await rm(join(data, "instance.key"));
    const [taken = "", applied = ""] = await carryOver(data);
    assert.match(taken, /Written to carried-over\.yaml/);
    assert.match(applied, /1 check|checks\.home-page|Home page/);
    const labels = Object.values<{ readonly label: string }>(await site.api("GET checks"));
    assert.deepEqual(
      labels.map(({ label }) => label),
      ["Home page"],
    );
    guide.assertFollowed();
  });

  async function carryOver(data: string): Promise<readonly string[]> {
    const [first = "", second = ""] = guide.commands("The key is lost");
    const taken = await guide.also(first);
    await site.kill("SIGTERM");
    await using refused = run(folder, { WATCHPOST_DATA: data }, [join(root, "watchpost")]);
    assert.equal(await refused.ended, 78);
    assert.match(
      logged(refused, "main.not_started").error,
      /^there is a database in .* and no .*instance\.key, /,
    );
    await rename(data, `${data}-lost`);
    await begin(data);
    return [taken, await guide.also(second)];
  }
});

/** Overwrites the page that a table begins at; that of the schema is the first of the file. */
async function damage(path: string, table: string): Promise<void> {
  const page = ((): { readonly root: number; readonly bytes: number } => {
    if (table === "sqlite_schema") return { root: 1, bytes: 4096 };
    using database = new DatabaseSync(path);
    const found = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .get(table);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return { root: Number(found?.["rootpage"]), bytes: 4096 };
  })();
  await using file = await open(path, "r+");
  // The header of the file stays, so that it is still a database.
  const from = page.root === 1 ? 100 : (page.root - 1) * page.bytes;
  await file.write(Buffer.alloc(page.bytes - 100, 0xa5), 0, page.bytes - 100, from);
}
