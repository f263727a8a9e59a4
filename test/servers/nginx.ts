import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { selfSigned, type Certificate } from "../peers/certificates.ts";
import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

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
  /** Additional configuration. */
  readonly rules?: string;
  readonly certificate?: Certificate;
  readonly secureServers?: readonly SecureServer[];
  readonly port?: number;
  readonly securePort?: number;
}

/** Additional TLS server. If several share a port, the requested name decides, otherwise the first one. */
interface SecureServer {
  readonly port: number;
  readonly name?: string;
  readonly certificate: Certificate;
  readonly rules?: string;
}

const ECHO = "/usr/lib/nginx/modules/ngx_http_echo_module.so";

/** A web server for files and rules, with a certificate that nobody trusts unless it is given one. */
export async function nginx(site: Site): Promise<Nginx> {
  const { files = {}, rules = "", certificate = selfSigned(), secureServers = [] } = site;
  const folder = await serverFolder();
  const { port = await closedPort(), securePort = await closedPort() } = site;
  const root = join(folder, "files");
  await mkdir(root);
  const certificates = [certificate, ...secureServers.map((server) => server.certificate)];
  const http = `
      types { text/html html; application/json json; }
      default_type text/plain;
      ssl_protocols TLSv1.2 TLSv1.3;
      server {
        listen 127.0.0.1:${port};
        listen 127.0.0.1:${securePort} ssl;
        ${certificateAt(0)}
        root ${root};
        ${rules}
      }
      ${secureServers.map((server, index) => blockOf(server, index + 1)).join("\n")}
  `;
  await Promise.all([
    ...certificates.flatMap(({ cert, key }, index) => [
      writeFile(join(folder, `${index}.cert`), cert),
      writeFile(join(folder, `${index}.key`), key),
    ]),
    ...Object.entries(files).map(([name, content]) => writeFile(join(root, name), content)),
  ]);
  const ports = [port, securePort, ...secureServers.map((server) => server.port)];
  const server = await nginxWith({ folder, ports, http: `access_log off;${http}` });
  const host = "127.0.0.1";
  return {
    host,
    port,
    url: `http://${host}:${port}`,
    secureUrl: `https://${host}:${securePort}`,
    ...server,
  };
}

/** One that does what stands in the block `http` of its configuration, whose files are in the folder. */
export async function nginxWith({
  folder,
  ports,
  http,
}: {
  readonly folder: string;
  readonly ports: readonly number[];
  readonly http: string;
}): Promise<Server> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = `
    load_module ${ECHO};
    daemon off;
    master_process off;
    pid nginx.pid;
    events {}
    http {
      ${temporary.map((kind) => `${kind}_temp_path ${kind};`).join("\n")}
      ${http}
    }
  `;
  await writeFile(join(folder, "nginx.conf"), config);
  return startServer({
    program: "nginx",
    args: ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")],
    ports,
    folder,
  });
}

function blockOf({ port, name = '""', rules = "" }: SecureServer, index: number): string {
  return `
      server {
        listen 127.0.0.1:${port} ssl;
        server_name ${name};
        ${certificateAt(index)}
        ${rules}
      }`;
}

function certificateAt(index: number): string {
  return `ssl_certificate ${index}.cert; ssl_certificate_key ${index}.key;`;
}
