import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import process from "node:process";
import { constants, gzipSync } from "node:zlib";

import { readApplied } from "../../src/store/sqlite/migrate.ts";
import { start, temporaryFolder, type ApiOfAccount } from "../e2e/process.ts";
import { waitFor } from "../time/wait-for.ts";
import { keptPaths, keptSettings, type KeptInstallation } from "./kept-installation.ts";

const HELP = `node test/upgrade/main.ts

Makes an installation with a bit of everything, and keeps its data folder in test/upgrade/kept/, by the last migration of its database.
Do that for each release whose schema is a new one, before the next migration. Until the first release the schema has one migration,
which changes: make it anew then.
`;
/** Nobody listens there. */
const CLOSED = "127.0.0.1:1";

if (process.argv.includes("--help")) process.stdout.write(HELP);
else await keep();

async function keep(): Promise<void> {
  await using folder = await temporaryFolder();
  const site = await start(folder.path, keptSettings);
  const kept = await fill(site);
  await site.kill("SIGTERM");
  const path = join(folder.path, "data", "watchpost.db");
  using database = new DatabaseSync(path);
  const { number = 0, name = "" } = readApplied(database).at(-1) ?? {};
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  const paths = keptPaths(`${String(number).padStart(4, "0")}-${name}`);
  mkdirSync(dirname(paths.about), { recursive: true });
  writeFileSync(paths.about, `${JSON.stringify(kept, undefined, 2)}\n`);
  const packed = gzipSync(readFileSync(path), { level: constants.Z_BEST_COMPRESSION });
  writeFileSync(paths.database, packed);
  process.stdout.write(`${paths.database}: ${packed.length} bytes\n`);
}

async function fill({ api, push, base, token }: ApiOfAccount): Promise<KeptInstallation> {
  const hook = `http://${CLOSED}/hook`;
  const contact = await api("POST contacts", {
    name: "Ann",
    newaddresses: [
      { type: "webhook", address: hook },
      { type: "email", address: "ann@example.com" },
    ],
  });
  const [address = ""] = Object.keys(contact.addresses);
  const notifications = [{ [address]: "All" }];
  await api("POST contactgroups", { name: "On call", members: [address] });
  await api("POST notificationprofiles", { name: "Calm", notifications });
  await api("PUT schedules/Days", { data: { monday: { time1: "8:00", time2: "17:00" } } });
  const common = { interval: 1, enabled: true, notifications };
  const up = await api("POST checks", {
    ...common,
    type: "HTTP",
    label: "Itself",
    target: `${base}/healthz`,
  });
  const target = `http://${CLOSED}/`;
  const failing = await api("POST checks", { ...common, type: "HTTP", label: "Closed", target });
  const job = await api("POST checks", { ...common, type: "PUSH", label: "Backup" });
  const { checktoken } = job.parameters;
  for (const gigabytes of [1, 2, 3]) await push(job._id, checktoken, { backup: { gigabytes } });
  await api("POST maintenance", {
    name: "Sunday",
    cron: "30 2 * * 0",
    duration: 30,
    checklist: [up._id],
  });
  const page = await api("POST statuspages", {
    name: "Shop",
    slug: "shop",
    sections: [{ name: "All", checks: [{ id: up._id, name: "Shop" }] }],
  });
  await api("POST incidents", { name: "Slow", text: "We look into it.", pages: [page._id] });
  await waitFor("an outage", async () => (await api(`GET checks/${failing._id}`)).firstdown > 0);
  await waitFor("results", async () => (await api(`GET results/${up._id}`)).length > 0);
  const ids: Record<string, readonly string[]> = {};
  for (const name of [
    "checks",
    "contacts",
    "contactgroups",
    "notificationprofiles",
    "schedules",
    "maintenance",
    "statuspages",
    "incidents",
  ])
    ids[name] = Object.keys(await api(`GET ${name}`)).toSorted();
  const resultsOf = async (id: string): Promise<number> => (await api(`GET results/${id}`)).length;
  return {
    token,
    ids: Object.fromEntries(Object.entries(ids).map(([name, all]) => [name, [...all]])),
    push: { id: job._id, checktoken, results: await resultsOf(job._id) },
    failing: { id: failing._id, target, results: await resultsOf(failing._id) },
  };
}
