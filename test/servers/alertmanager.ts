import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Alertmanager extends Server {
  readonly port: number;
}

/** An Alertmanager with default timing that notifies one webhook. */
export async function alertmanager(webhook: string): Promise<Alertmanager> {
  const folder = await serverFolder();
  const port = await closedPort();
  const configuration = join(folder, "alertmanager.yml");
  await writeFile(
    configuration,
    JSON.stringify({
      route: { receiver: "webhook", group_by: ["alertname"] },
      receivers: [{ name: "webhook", webhook_configs: [{ url: webhook }] }],
    }),
  );
  const server = await startServer({
    program: "prometheus-alertmanager",
    args: [
      `--config.file=${configuration}`,
      `--storage.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      // It is the only one.
      "--cluster.listen-address=",
    ],
    ports: [port],
    folder,
  });
  return { ...server, port };
}
