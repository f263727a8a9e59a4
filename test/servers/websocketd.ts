import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Certificate } from "../peers/certificates.ts";
import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Websocketd extends Server {
  /** Where it is, without a slash at the end. */
  readonly url: string;
}

interface Site {
  /** Shell scripts by path: each line on its standard input is a message that came, each line on its standard output one that goes. */
  readonly scripts: Readonly<Record<string, string>>;
  /** With one it speaks TLS. */
  readonly certificate?: Certificate;
  readonly port?: number;
}

/** A WebSocket server on 127.0.0.1. */
export async function websocketd({ scripts, certificate, port }: Site): Promise<Websocketd> {
  const folder = await serverFolder();
  const [at, root] = [port ?? (await closedPort()), join(folder, "scripts")];
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  await mkdir(root);
  await Promise.all([
    ...Object.entries(scripts).map(([name, script]) =>
      writeFile(join(root, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    ),
    writeFile(cert, certificate?.cert ?? ""),
    writeFile(key, certificate?.key ?? ""),
  ]);
  const tls = certificate === undefined ? [] : ["--ssl", `--sslcert=${cert}`, `--sslkey=${key}`];
  const server = await startServer({
    program: "websocketd",
    args: ["--address=127.0.0.1", `--port=${at}`, `--dir=${root}`, ...tls],
    ports: [at],
    folder,
  });
  return { url: `${certificate === undefined ? "ws" : "wss"}://127.0.0.1:${at}`, ...server };
}
