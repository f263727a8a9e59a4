import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { selfSigned } from "../peers/certificates.ts";
import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer } from "./server.ts";
import type { Server } from "./server.ts";

export interface Nginx extends Server {
  readonly host: string;
  readonly port: number;
  /** Where it is, without a slash at the end. */
  readonly url: string;
  /** The same over TLS. */
  readonly secureUrl: string;
}

interface Site {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** What else it does, in its own language. */
  readonly rules?: string;
}

const ECHO = "/usr/lib/nginx/modules/ngx_http_echo_module.so";

/** A web server for files and rules, with a certificate that nobody trusts. */
export async function nginx({ files = {}, rules = "" }: Site): Promise<Nginx> {
  const folder = await serverFolder();
  const [port, securePort] = [await closedPort(), await closedPort()];
  const root = join(folder, "files");
  await mkdir(root);
  const { cert, key } = selfSigned();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = `
    load_module ${ECHO};
    daemon off;
    master_process off;
    pid nginx.pid;
    events {}
    http {
      access_log off;
      ${temporary.map((kind) => `${kind}_temp_path ${kind};`).join("\n")}
      types { text/html html; application/json json; }
      default_type text/plain;
      server {
        listen 127.0.0.1:${port};
        listen 127.0.0.1:${securePort} ssl;
        ssl_certificate cert.pem;
        ssl_certificate_key key.pem;
        ssl_protocols TLSv1.2 TLSv1.3;
        root ${root};
        ${rules}
      }
    }
  `;
  await Promise.all([
    writeFile(join(folder, "nginx.conf"), config),
    writeFile(join(folder, "cert.pem"), cert),
    writeFile(join(folder, "key.pem"), key),
    ...Object.entries(files).map(([name, content]) => writeFile(join(root, name), content)),
  ]);
  const server = await startServer({
    program: "nginx",
    args: ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")],
    ports: [port, securePort],
    folder,
  });
  const host = "127.0.0.1";
  return {
    host,
    port,
    url: `http://${host}:${port}`,
    secureUrl: `https://${host}:${securePort}`,
    ...server,
  };
}
