import { chmodSync, rmSync } from "node:fs";

import { fastify, type FastifyInstance } from "fastify";
import { z } from "zod";

import { errorResponse } from "../../api/http/errors.ts";
import { tokenAccesses } from "../../domain/account/token.ts";
import { InvalidInput, messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Administration } from "./administration.ts";
import { controlSocketPath } from "./socket-path.ts";

const compatibility = z.enum(["standard", "legacy"]).optional();
const newToken = z.object({
  accountId: z.string().optional(),
  label: z.string(),
  compatibility,
  access: z.enum(tokenAccesses).optional(),
  days: z.number().optional(),
});
const newAccount = z.object({
  name: z.string(),
  ownerEmail: z.string().optional(),
  timeZone: z.string(),
});
const newSignInLink = z.object({
  accountId: z.string().optional(),
  contactId: z.string().optional(),
  removesSecondFactors: z.boolean().optional(),
});
const revocation = z.object({ force: z.enum(["true", "false"]).transform((is) => is === "true") });

/** Serves the administration of tokens and accounts over HTTP on a Unix socket in the data folder, which only its owner can reach. */
export async function serveControlSocket(
  directory: string,
  { log, ...administration }: Administration & { readonly log: Log },
): Promise<{ readonly close: () => Promise<void> }> {
  const path = controlSocketPath(directory);
  const server = createControlServer(administration);
  // A killed process leaves its socket behind; the folder's lock shows that it is unused.
  rmSync(path, { force: true });
  try {
    await server.listen({ path });
    chmodSync(path, 0o600);
  } catch (error) {
    log.warn("app.control_socket_failed", { path, error: messageOf(error) });
  }
  return { close: () => server.close() };
}

function createControlServer({
  tokenAdmin,
  accountAdmin,
  examineAlerting,
}: Administration): FastifyInstance {
  const server = fastify({ forceCloseConnections: true });
  server.setErrorHandler((error, _request, reply) => {
    const { status, body } = errorResponse(error) ?? {
      status: 500,
      body: { error: messageOf(error) },
    };
    return reply.code(status).send(body);
  });
  server.setNotFoundHandler((_request, reply) =>
    reply.code(501).send({ error: "the running service does not know this command" }),
  );
  server.get("/tokens", () => tokenAdmin.list());
  server.post("/tokens", ({ body }) => tokenAdmin.create(parse(newToken, body)));
  server.delete<{ Params: { handle: string } }>("/tokens/:handle", ({ params, query }) =>
    tokenAdmin.revoke({ handle: params.handle, ...parse(revocation, query) }),
  );
  server.get("/accounts", () => accountAdmin.list());
  server.post("/accounts", ({ body }) => accountAdmin.create(parse(newAccount, body)));
  server.get("/alerting", () => examineAlerting());
  server.post("/sign-in-links", ({ body }) =>
    accountAdmin.createSignInLink(parse(newSignInLink, body)),
  );
  return server;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidInput(`${issue?.path.join(".") || "body"}: ${issue?.message}`);
}
