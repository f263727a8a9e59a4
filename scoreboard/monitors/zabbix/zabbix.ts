import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { runParts, UNIT_RESTART_SECONDS, type Part } from "../foreground.ts";
import { versionOf } from "../install.ts";
import type { Monitor, MonitorWorld, Reading, Received } from "../monitor.ts";
import { mailText, readNotification } from "../notifications.ts";
import { filled } from "../templates.ts";
import { supports } from "./objects.ts";

const run = promisify(execFile);

/** Where the server says that it does not check. */
const STOPPED = /^.*(?:One child process died|cannot start alert manager).*$/m;

/** User of the server and its database. */
const USER = "zabbix";
const DATABASE_FILES = ["schema", "images", "data"];

export const zabbix: Monitor = {
  name: "zabbix",
  version: () => versionOf("zabbix-server-pgsql"),
  packages: [
    "zabbix-server-pgsql",
    "zabbix-frontend-php",
    "php-cli",
    "php-pgsql",
    "postgresql",
    "fping",
    "openssl",
  ],
  configuration: [
    "The database is PostgreSQL, with the schema and data of the package (zabbix.com/documentation/6.0/en/manual/appendix/install/db_scripts).",
    "Pages are web scenarios of one step, with the interval, timeout and status codes of the run (…/manual/web_monitoring).",
    "Ports, mail servers and hosts are simple checks; records and certificates would need an agent (…/manual/config/items/itemtypes/simple_checks).",
    "A trigger is a problem where the last checks failed, as many as the run requires, and recovers with the first success (…/manual/config/triggers, and the template “ICMP Ping”).",
    "Five pollers run web scenarios, because the default of one would run them in turn (…/manual/appendix/config/zabbix_server, StartHTTPPollers).",
    "An action sends problems and recoveries by a webhook and by mail (…/manual/config/notifications).",
    "A process that ends is started again, as Debian's zabbix-server.service asks after a crash.",
  ],
  ways: ["webhook", "mail"],
  locations: 1,
  readsClockThroughLibc: true,
  supports,
  async start(world) {
    const { asked } = await writeConfiguration(world);
    await makeDatabase(world);
    await configure(world, asked);
    return runParts(world, [databaseOf(world), serverOf(world)], { stopped: STOPPED });
  },
  read: (received) =>
    received.way === "webhook" ? readNotification(received) : readMail(received),
};

/** Writes the files that the server, the frontend and the script that configures them read. */
export async function writeConfiguration(world: MonitorWorld): Promise<{ readonly asked: string }> {
  const { folder, listen, schedule, targets, webhook, smtp, mailTo, authority } = world;
  const values = { folder, ...listen, ...schedule, ...portsOf(world) };
  const template = (name: string): Promise<string> =>
    filled(join(import.meta.dirname, name), values);
  await mkdir(join(folder, "frontend"));
  await mkdir(join(folder, "authorities"));
  await writeFile(join(folder, "zabbix_server.conf"), await template("zabbix_server.conf"));
  await writeFile(join(folder, "frontend/zabbix.conf.php"), await template("zabbix.conf.php"));
  const asked = join(folder, "asked.json");
  await writeFile(asked, JSON.stringify({ targets, schedule, webhook, smtp, mailTo }));
  await copyFile(authority, join(folder, "authorities/authority.pem"));
  return { asked };
}

function portsOf({ listen: { firstPort } }: Pick<MonitorWorld, "listen">): {
  readonly serverPort: number;
  readonly databasePort: number;
  readonly frontendPort: number;
} {
  return { serverPort: firstPort, databasePort: firstPort + 1, frontendPort: firstPort + 2 };
}

/** Where Debian has the programs of PostgreSQL, in the folder of its newest version. */
function postgresProgram(name: string): string {
  const path = globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted().at(-1);
  if (path === undefined) throw new Error(`PostgreSQL is not installed: no ${name}`);
  return path;
}

/** The options that lead a client to the database, whose socket is in the folder of the world. */
function clientOptions(world: Pick<MonitorWorld, "folder" | "listen">): string {
  return `--host=${world.folder} --port=${portsOf(world).databasePort} --username=${USER}`;
}

function databaseOf(world: MonitorWorld): Part {
  const { folder } = world;
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${folder}`,
    `port=${portsOf(world).databasePort}`,
    // The disk of the run is small.
    "max_wal_size=96MB",
    "min_wal_size=32MB",
  ];
  const options = settings.flatMap((setting) => ["-c", setting]);
  const command = [postgresProgram("postgres"), "-D", join(folder, "database"), ...options];
  return { name: "postgresql", isDatabase: true, user: USER, command };
}

function serverOf(world: MonitorWorld): Part {
  const server = `zabbix_server --foreground --config ${join(world.folder, "zabbix_server.conf")}`;
  const command = ["sh", "-ec", `${databaseAnswers(world)}; exec ${server}`];
  return { name: "zabbix", user: USER, restartSeconds: UNIT_RESTART_SECONDS, command };
}

/** A shell command that waits until the database answers, and fails after a minute. */
function databaseAnswers(world: MonitorWorld): string {
  const isReady = `${postgresProgram("pg_isready")} --quiet ${clientOptions(world)}`;
  return `timeout 60 sh -c 'until ${isReady}; do sleep 0.2; done'`;
}

async function makeDatabase({ folder }: MonitorWorld): Promise<void> {
  await run("openssl", ["rehash", join(folder, "authorities")]);
  await run("chown", ["-R", `${USER}:${USER}`, folder]);
  const identity = [`--reuid=${USER}`, `--regid=${USER}`, "--init-groups"];
  const options = ["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"];
  const initdb = [postgresProgram("initdb"), "-D", join(folder, "database"), "-U", USER];
  await run("setpriv", [...identity, ...initdb, ...options], { cwd: folder });
}

/** Loads the data of a new installation, and runs the frontend only while the API is called. */
async function configure(world: MonitorWorld, asked: string): Promise<void> {
  const { folder, enter, listen } = world;
  const address = `${listen.address}:${portsOf(world).frontendPort}`;
  // The frontend reads its configuration in a folder that Debian has fixed.
  const mount = `mount --bind ${join(folder, "frontend")} /etc/zabbix`;
  const php = `php -S ${address} -t /usr/share/zabbix`;
  const frontend = ["unshare", "--mount", "sh", "-c", `${mount} && exec ${php}`];
  await using _setup = runParts(
    world,
    [databaseOf(world), { name: "frontend", command: frontend }],
    { stopped: STOPPED },
  );
  const psql = `psql --quiet --single-transaction --set=ON_ERROR_STOP=1 ${clientOptions(world)} zabbix`;
  const load = DATABASE_FILES.map(
    (file) => `zcat /usr/share/zabbix-server-pgsql/${file}.sql.gz | ${psql} > /dev/null`,
  );
  const lines = [databaseAnswers(world), `createdb ${clientOptions(world)} zabbix`, ...load];
  await run("sh", ["-ec", lines.join("\n")]);
  const script = join(import.meta.dirname, "configure.ts");
  const [command, ...rest] = [...enter, process.execPath, script, `http://${address}`, asked];
  await run(command, rest);
}

/** The subjects of the media type that the configuration makes. */
const SUBJECT = /^(Problem|Resolved): ([a-z0-9-]+): (.*)/;

function readMail(received: Received): readonly Reading[] {
  const [, kind, target, name = ""] = SUBJECT.exec(received.headers["subject"] ?? "") ?? [];
  if (target === undefined) return [];
  const [, data = ""] = /^Operational data: (.*)/m.exec(mailText(received)) ?? [];
  const state = kind === "Problem" ? "down" : "up";
  return [{ target, state, reason: `${target}: ${name}: ${data}`.trim() }];
}
