import { readFileSync } from "node:fs";

import { fastify } from "fastify";

/** Responses of the bare server, by method and path. */
export type RecordedResponses = Readonly<
  Record<string, { readonly status: number; readonly body: string }>
>;

/** The bare baseline: takes and parses the same requests, and answers the same bytes out of memory. */
const [, , port = "0", file = ""] = process.argv;
const answers: RecordedResponses = JSON.parse(readFileSync(file, "utf8"));
const app = fastify();
for (const [call, { status, body }] of Object.entries(answers)) {
  const [method = "", url = ""] = call.split(" ");
  const bytes = Buffer.from(body);
  app.route({
    method,
    url,
    handler: (_request, reply) =>
      reply.code(status).header("content-type", "application/json").send(bytes),
  });
}
const address = await app.listen({ port: Number(port), host: "127.0.0.1" });
process.stdout.write(`port ${new URL(address).port}\n`);
