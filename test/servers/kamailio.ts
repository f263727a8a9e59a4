import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Kamailio extends Server {
  readonly port: number;
}

/** A SIP server on 127.0.0.1, for UDP and TCP. What it answers is said by the first label of the host that is asked for. */
export async function kamailio({ port }: { readonly port?: number } = {}): Promise<Kamailio> {
  const folder = await serverFolder();
  const at = port ?? (await closedPort());
  const [config, run] = [join(folder, "kamailio.cfg"), join(folder, "run")];
  await Promise.all([mkdir(run), writeFile(config, configOf(at))]);
  const server = await startServer({
    program: "kamailio",
    args: ["-DD", "-E", "-f", config, "-Y", run, "-P", join(folder, "pid")],
    ports: [at],
    folder,
  });
  return { port: at, ...server };
}

function configOf(port: number): string {
  return `
debug=1
log_stderror=yes
fork=yes
children=1
tcp_children=1
auto_aliases=no
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
listen=udp:[::1]:${port}
loadmodule "sl.so"
loadmodule "pv.so"
loadmodule "textops.so"
request_route {
  if (!is_method("OPTIONS")) { sl_send_reply("405", "Method Not Allowed"); exit; }
  if ($rd =~ "^auth\\.") {
    append_to_reply("WWW-Authenticate: Digest realm=\\"x\\", nonce=\\"1\\"\\r\\n");
    sl_send_reply("401", "Unauthorized");
    exit;
  }
  if ($rd =~ "^busy\\.") { sl_send_reply("503", "Service Unavailable"); exit; }
  if ($rd =~ "^mute\\.") { exit; }
  sl_send_reply("200", "OK");
}
`;
}
