import { execFile } from "node:child_process";
import { access, appendFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { waitFor } from "../time/wait-for.ts";
import type { Certificate } from "../peers/certificates.ts";
import { closedPort } from "../peers/tcp.ts";
import { giveToNobody, serverFolder, startServer, type Server } from "./server.ts";

export interface Postgres extends Server {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Port of a pooler in front of it, for callers that open a store. */
  readonly poolerPort?: number;
}

interface Options {
  /** Without one it speaks no TLS. */
  readonly certificate?: Certificate;
  /** Issuer of client certificates. */
  readonly clientAuthority?: string;
  /** Settings of its own. */
  readonly settings?: ServerSettings;
}

type ServerSettings = Readonly<Record<string, string | number>>;

const PROGRAMS = "/usr/lib/postgresql/15/bin";
const NOBODY = 65_534;
const run = promisify(execFile);
/** A cluster that nobody has started yet: to copy it takes a twentieth of the CPU that it takes to make one. */
const CACHE = join(import.meta.dirname, "../../node_modules/.cache");
const KEPT_CLUSTER = join(CACHE, `postgres-15-of-${process.getuid?.() ?? "anybody"}`);

/** A PostgreSQL of its own on 127.0.0.1, which lets everybody on this machine in, and the user `certified` only with a certificate of that name. It syncs nothing, unless the settings given say so. */
export async function postgres(options: Options = {}): Promise<Postgres> {
  const folder = await serverFolder();
  const data = await makeCluster(folder);
  const more = { ...(await tlsSettings(folder, options)), ...options.settings };
  return startPostgres({ data, folder, host: "127.0.0.1", port: await closedPort(), more });
}

/** Creates the files of a PostgreSQL server in a folder, and returns their location; `networks` are allowed besides this machine. */
export async function makeCluster(
  folder: string,
  networks: readonly string[] = [],
): Promise<string> {
  const data = join(folder, "data");
  const isKept = await access(KEPT_CLUSTER).then(
    () => true,
    () => false,
  );
  if (isKept) await run("cp", ["-a", KEPT_CLUSTER, data]);
  else await initCluster(folder, data);
  const lines = networks.map((network) => `host all all ${network} trust\n`);
  await appendFile(join(data, "pg_hba.conf"), lines.join(""));
  return data;
}

async function initCluster(folder: string, data: string): Promise<void> {
  await mkdir(data);
  if (isRoot()) await giveToNobody(data);
  const [initdb, ...initArgs] = asNobody("initdb", [
    "--pgdata",
    data,
    "--username",
    "watchpost",
    "--auth",
    "trust",
    "--locale",
    "C",
    "--encoding",
    "UTF8",
    "--no-sync",
  ]);
  await run(initdb, initArgs, { cwd: folder });
  await mkdir(CACHE, { recursive: true });
  const copied = await mkdtemp(`${KEPT_CLUSTER}-`);
  await run("cp", ["-a", `${data}/.`, copied]);
  // Where another process was first, its own stays.
  await rename(copied, KEPT_CLUSTER).catch(() => rm(copied, { recursive: true }));
}

interface Start {
  readonly data: string;
  /** Goes with the server. */
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** Settings of its own. */
  readonly more?: ServerSettings;
}

export async function startPostgres({ data, folder, host, port, more }: Start): Promise<Postgres> {
  const settings = {
    listen_addresses: host,
    port,
    unix_socket_directories: "",
    fsync: "off",
    full_page_writes: "off",
    autovacuum: "off",
    // Compiling a statement takes longer than to run it on the few rows that a test has.
    jit: "off",
    shared_buffers: "32MB",
    max_connections: 120,
    // In its folder: what it has elsewhere in memory outlasts a kill.
    dynamic_shared_memory_type: "mmap",
    ...more,
  };
  const [program, ...args] = asNobody("postgres", [
    "-D",
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]);
  const server = await startServer({ program, args, ports: [port], folder });
  // Until then it listens, and refuses every session.
  await waitFor("it takes sessions", () => server.log().includes("ready to accept connections"));
  return { ...server, host, port, user: "watchpost" };
}

async function tlsSettings(
  folder: string,
  { certificate, clientAuthority }: Options,
): Promise<Readonly<Record<string, string>>> {
  if (certificate === undefined) return {};
  const files = {
    ssl_cert_file: certificate.cert,
    ssl_key_file: certificate.key,
    hba_file: `hostssl all certified 127.0.0.1/32 ${clientAuthority === undefined ? "reject" : "cert"}\nhost all all 127.0.0.1/32 trust\n`,
    ...(clientAuthority !== undefined && { ssl_ca_file: clientAuthority }),
  };
  for (const [setting, text] of Object.entries(files)) {
    const path = join(folder, setting);
    await writeFile(path, text, { mode: 0o600 });
    if (isRoot()) await giveToNobody(path);
  }
  const names = Object.keys(files);
  return { ssl: "on", ...Object.fromEntries(names.map((name) => [name, join(folder, name)])) };
}

/** Where Debian has it. */
export function postgresProgram(name: string): string {
  return join(PROGRAMS, name);
}

/** It refuses to run as root. */
function asNobody(
  program: string,
  args: readonly string[],
): readonly [program: string, ...args: readonly string[]] {
  const path = postgresProgram(program);
  if (!isRoot()) return [path, ...args];
  const rights = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  return ["setpriv", ...rights, path, ...args];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
