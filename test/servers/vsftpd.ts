import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Vsftpd extends Server {
  readonly host: string;
  readonly port: number;
}

interface Site {
  readonly host?: string;
  readonly port?: number;
  readonly files: Readonly<Record<string, string>>;
}

/** An FTP server for anybody, but for nobody by name. The files are in the folder where one logs in. */
export async function vsftpd({ host = "127.0.0.1", files, ...site }: Site): Promise<Vsftpd> {
  const folder = await serverFolder();
  const { port = await closedPort() } = site;
  const [root, empty] = [join(folder, "root"), join(folder, "empty")];
  await Promise.all([mkdir(root), mkdir(empty)]);
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(root, name), text)));
  const config = join(folder, "vsftpd.conf");
  const isV6 = host.includes(":");
  const settings = {
    listen: isV6 ? "NO" : "YES",
    listen_ipv6: isV6 ? "YES" : "NO",
    [isV6 ? "listen_address6" : "listen_address"]: host,
    listen_port: port,
    background: "NO",
    anonymous_enable: "YES",
    anon_root: root,
    local_enable: "NO",
    secure_chroot_dir: empty,
    seccomp_sandbox: "NO",
    xferlog_enable: "NO",
    ftpd_banner: "Watched files",
  };
  await writeFile(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const server = await startServer({ program: "vsftpd", args: [config], ports: [port], folder });
  return { host, port, ...server };
}
