import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Certificate } from "../peers/certificates.ts";
import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Mariadb extends Server {
  readonly host: string;
  readonly port: number;
}

interface Database {
  readonly port?: number;
  /** Where its data stay once it has ended; without it they go with it. */
  readonly data?: string;
  /** Without one it speaks no TLS. */
  readonly certificate?: Certificate;
  /** Statements of one line each that it carries out whenever it starts. */
  readonly setup?: readonly string[];
}

/** A database server on 127.0.0.1. It lets root in from here, without a password; ten may connect at a time, and root once more. */
export async function mariadb({ certificate, setup = [], ...rest }: Database): Promise<Mariadb> {
  const folder = await serverFolder();
  const { port = await closedPort(), data = join(folder, "data") } = rest;
  const [cert, key, sql] = [join(folder, "cert.pem"), join(folder, "key.pem"), join(folder, "sql")];
  const both = ["--no-defaults", "--user=root", `--datadir=${data}`, "--innodb-log-file-size=4M"];
  const rootNeedsNone = ["--auth-root-authentication-method=normal", "--skip-test-db"];
  if (!existsSync(data))
    await promisify(execFile)("mariadb-install-db", [...both, ...rootNeedsNone]);
  await Promise.all([
    writeFile(sql, setup.map((statement) => `${statement};\n`).join("")),
    writeFile(cert, certificate?.cert ?? ""),
    writeFile(key, certificate?.key ?? ""),
  ]);
  const host = "127.0.0.1";
  const server = await startServer({
    program: "mariadbd",
    args: [
      ...both,
      `--bind-address=${host}`,
      `--port=${port}`,
      `--socket=${join(folder, "socket")}`,
      `--pid-file=${join(folder, "pid")}`,
      `--init-file=${sql}`,
      "--max-connections=10",
      "--innodb-buffer-pool-size=16M",
      "--skip-log-bin",
      // Otherwise it would look up the name of every client.
      "--skip-name-resolve",
      ...(certificate === undefined ? [] : [`--ssl-cert=${cert}`, `--ssl-key=${key}`]),
    ],
    ports: [port],
    folder,
  });
  return { host, port, ...server };
}
