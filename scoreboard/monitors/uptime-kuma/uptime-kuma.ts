import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { z } from "zod";

import { runParts, UNIT_RESTART_SECONDS } from "../foreground.ts";
import type { Monitor, MonitorWorld, Reading, Received } from "../monitor.ts";
import { mailText } from "../notifications.ts";
import { home, prepare, version } from "./prepare.ts";
import { recordsOf, supports } from "./records.ts";

/** Where it says that it does not check. */
const STOPPED = /^.*Start Uptime-Kuma failed.*$/m;

export const uptimeKuma: Monitor = {
  name: "uptime-kuma",
  version,
  packages: ["mariadb-server"],
  prepare,
  configuration: [
    "The package of the npm registry is a development version, 2.0.0-dev.0; releases come as container images or from a repository (github.com/louislam/uptime-kuma, “How to Install”).",
    "The data are in MariaDB, because the package lacks files that a new SQLite database needs (server/database.js, server/setup-database.js).",
    "The interval is that of the run, or 20 s where that is shorter, the minimum (src/util.ts, MIN_INTERVAL_SECOND).",
    "maxretries is one less than the failed checks required, and retries come at the same interval (github.com/louislam/uptime-kuma/wiki, “Retries”).",
    "Timeouts apply to pages; those of ports and pings are fixed (server/util-server.js).",
    "Webhook and mail are notifications that all monitors use (github.com/louislam/uptime-kuma/wiki/Notification-Methods).",
    "A process that ends is started again, as Debian's mariadb.service asks, and as the recommended pm2 does for the server (“How to Install”).",
  ],
  ways: ["webhook", "mail"],
  locations: 1,
  readsClockThroughLibc: true,
  // src/util.ts, MIN_INTERVAL_SECOND
  minIntervalSeconds: 20,
  supports,
  async start(world) {
    const { folder, enter, listen } = world;
    const files = await writeConfiguration(world);
    const address = `http://${listen.address}:${listen.firstPort}`;
    await promisify(execFile)("mariadb-install-db", [
      ...databaseOptions(folder),
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
    ]);
    const running = runParts(world, partsOf(world), { stopped: STOPPED });
    const [command, ...rest] = [...enter, process.execPath];
    const script = join(import.meta.dirname, "configure.ts");
    await promisify(execFile)(command, [...rest, script, address, files.records]);
    return running;
  },
  read: (received) => (received.way === "webhook" ? readWebhook(received) : readMail(received)),
};

const databaseOptions = (folder: string): readonly string[] => [
  "--no-defaults",
  "--user=root",
  `--datadir=${join(folder, "mariadb")}`,
];

function partsOf({ folder, listen, authority }: MonitorWorld): Parameters<typeof runParts>[1] {
  const socket = `--socket=${join(folder, "mariadb.sock")}`;
  const isReady = `mariadb-admin --no-defaults ${socket} --user=root --wait=60 status`;
  return [
    {
      name: "mariadb",
      isDatabase: true,
      // As Debian's unit says.
      restartSeconds: 5,
      command: [
        "mariadbd",
        ...databaseOptions(folder),
        socket,
        `--pid-file=${join(folder, "mariadb.pid")}`,
        "--bind-address=127.0.0.1",
        `--port=${databasePort(listen)}`,
        "--skip-log-bin",
        "--skip-name-resolve",
      ],
    },
    {
      name: "uptime-kuma",
      restartSeconds: UNIT_RESTART_SECONDS,
      command: [
        "sh",
        "-c",
        `${isReady} > /dev/null && cd ${home} && exec ${process.execPath} server/server.js`,
      ],
      environment: {
        NODE_ENV: "production",
        NODE_EXTRA_CA_CERTS: authority,
        DATA_DIR: `${join(folder, "data")}/`,
        UPTIME_KUMA_HOST: listen.address,
        UPTIME_KUMA_PORT: String(listen.firstPort),
      },
    },
  ];
}

function databasePort({ firstPort }: MonitorWorld["listen"]): number {
  return firstPort + 1;
}

/** Writes what the server and the script that configures it read. */
export async function writeConfiguration(
  world: MonitorWorld,
): Promise<{ readonly records: string }> {
  const data = join(world.folder, "data");
  await mkdir(data);
  const database = {
    type: "mariadb",
    hostname: "127.0.0.1",
    port: databasePort(world.listen),
    dbName: "kuma",
    username: "root",
    password: "",
  };
  await writeFile(join(data, "db-config.json"), JSON.stringify(database));
  const records = join(world.folder, "records.json");
  await writeFile(records, JSON.stringify(recordsOf(world)));
  return { records };
}

/** Webhook payload of a heartbeat; other messages, such as those about certificates, have none. */
const message = z.object({
  heartbeat: z.object({ status: z.union([z.literal(0), z.literal(1)]), msg: z.string() }),
  monitor: z.object({ name: z.string() }),
});

function readWebhook({ body }: Received): readonly Reading[] {
  const { success, data } = z.preprocess((text) => parsed(String(text)), message).safeParse(body);
  if (!success) return [];
  const { heartbeat, monitor } = data;
  const state = heartbeat.status === 1 ? "up" : "down";
  return [{ target: monitor.name, state, reason: heartbeat.msg.trim() }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readMail(received: Received): readonly Reading[] {
  const text = /^\[([a-z0-9-]+)\] \[.+ (Down|Up)\] (.*)/m.exec(mailText(received));
  const [, target, state, reason = ""] = text ?? [];
  if (target === undefined) return [];
  return [{ target, state: state === "Up" ? "up" : "down", reason: reason.trim() }];
}
