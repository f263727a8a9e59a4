import { join } from "node:path";

import { z } from "zod";

import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Prometheus extends Server {
  /** The samples that it finds now, by an expression of its language. */
  readonly query: (expression: string) => Promise<readonly Sample[]>;
}

type Sample = z.infer<typeof sample>;

const sample = z.object({
  metric: z.record(z.string(), z.string()),
  value: z.tuple([z.number(), z.string()]),
});
const answer = z.object({ data: z.object({ result: z.array(sample) }) });

/** A Prometheus with this configuration. */
export async function prometheus(configuration: string): Promise<Prometheus> {
  const folder = await serverFolder();
  const port = await closedPort();
  const server = await startServer({
    program: "prometheus",
    args: [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    ports: [port],
    folder,
  });
  return {
    ...server,
    async query(expression) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query`, {
        method: "POST",
        body: new URLSearchParams({ query: expression }),
      });
      const text = await response.text();
      // While it starts it answers with a sentence.
      if (response.status === 503) return [];
      if (!response.ok) throw new Error(`${expression}: ${text}`);
      return answer.parse(JSON.parse(text)).data.result;
    },
  };
}
