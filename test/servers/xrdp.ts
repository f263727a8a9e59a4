import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Certificate } from "../peers/certificates.ts";
import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Xrdp extends Server {
  readonly host: string;
  readonly port: number;
}

interface Desktop {
  /** Treatment of a client that offers TLS: accepted, required, or refused. */
  readonly layer: "negotiate" | "tls" | "rdp";
  readonly certificate: Certificate;
  readonly port?: number;
}

/** A remote desktop on 127.0.0.1 that leads to no session. */
export async function xrdp({ layer, certificate, port }: Desktop): Promise<Xrdp> {
  const folder = await serverFolder();
  const [host, at, config] = ["127.0.0.1", port ?? (await closedPort()), join(folder, "xrdp.ini")];
  const settings = `
[Globals]
port=tcp://${host}:${at}
security_layer=${layer}
certificate=${folder}/cert.pem
key_file=${folder}/key.pem
ssl_protocols=TLSv1.2, TLSv1.3
[Logging]
LogFile=${folder}/xrdp.log
LogLevel=INFO
EnableSyslog=false
[LoggingPerLogger]
[Channels]
[Xorg]
name=Xorg
lib=libxup.so
ip=${host}
port=-1
`;
  await Promise.all([
    writeFile(config, settings),
    writeFile(join(folder, "cert.pem"), certificate.cert),
    writeFile(join(folder, "key.pem"), certificate.key),
  ]);
  const args = ["-n", "-c", config];
  const server = await startServer({ program: "xrdp", args, ports: [at], folder });
  return { host, port: at, ...server };
}
