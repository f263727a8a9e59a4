// Makes the first user, the notifications and the monitors over the socket that the dashboard uses: configure.ts ADDRESS FILE
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import type { UptimeKumaRecords } from "./records.ts";
import { home } from "./prepare.ts";

interface Answer {
  readonly ok: boolean;
  readonly msg: string;
  readonly id?: number;
}

interface Socket extends NodeJS.EventEmitter {
  readonly emit: (event: string, ...parameters: readonly unknown[]) => boolean;
  readonly disconnect: () => void;
}

const [address = "", file = ""] = process.argv.slice(2);
const records: UptimeKumaRecords = JSON.parse(await readFile(file, "utf8"));
const client: { readonly io: (address: string) => Socket } = createRequire(join(home, "server/"))(
  "socket.io-client",
);
// It connects again until the server listens.
const socket = client.io(address);
await once(socket, "connect");

const user = { username: "oncall", password: "Scoreboard-1", token: "" };
await call("setup", user.username, user.password);
await call("login", user);
const notificationIDList: Record<string, true> = {};
for (const notification of records.notifications) {
  const { id } = await call("addNotification", notification, null);
  notificationIDList[String(id)] = true;
}
for (const monitor of records.monitors) await call("add", { ...monitor, notificationIDList });
socket.disconnect();

function call(event: string, ...parameters: readonly unknown[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    socket.emit(event, ...parameters, (answer: Answer) => {
      if (answer.ok) resolve(answer);
      else reject(new Error(`${event}: ${answer.msg}`));
    });
  });
}
