import { rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import type { Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { z } from "zod";

import { systemClock } from "../kit/clock.ts";
import { codeOf, Conflict, InvalidInput, messageOf, NotFound, Unavailable } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { TokenAdmin } from "../store/units/token-admin.ts";

const PATIENCE_MS = 10_000;

const calls = z.discriminatedUnion("call", [
  z.object({ call: z.literal("create"), accountId: z.string().optional(), label: z.string() }),
  z.object({ call: z.literal("list") }),
  z.object({ call: z.literal("revoke"), handle: z.string(), force: z.boolean() }),
]);
type Call = z.output<typeof calls>;

const listed = z.object({
  handle: z.string(),
  label: z.string(),
  createdAt: z.number(),
  accountId: z.string(),
  accountName: z.string(),
});
const refusal = z.object({ error: z.object({ code: z.string().optional(), message: z.string() }) });

/** Lets whoever owns the data folder reach the desk of this process: a connection for each call, JSON there and back. */
export async function serveControlSocket(
  directory: string,
  { desk, log }: { readonly desk: TokenAdmin; readonly log: Log },
): Promise<{ readonly close: () => void }> {
  const path = pathIn(directory);
  const connections = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket.once("close", () => connections.delete(socket)));
    answer(socket, desk).catch(() => socket.destroy());
  });
  // What a process that was killed has left, for the folder is ours alone.
  rmSync(path, { force: true });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(path, resolve);
    });
  } catch (error) {
    log.warn("app.control_socket_failed", { path, error: messageOf(error) });
  }
  return {
    close() {
      server.close();
      for (const socket of connections) socket.destroy();
    },
  };
}

async function answer(socket: Socket, desk: TokenAdmin): Promise<void> {
  // The usual iterator would take the socket down with its reading half.
  const asked = await text(socket.iterator({ destroyOnReturn: false }));
  try {
    socket.end(JSON.stringify(await carryOut(calls.parse(JSON.parse(asked)), desk)));
  } catch (error) {
    socket.end(JSON.stringify({ error: { code: codeOf(error), message: messageOf(error) } }));
  }
}

async function carryOut(call: Call, desk: TokenAdmin): Promise<object> {
  if (call.call === "create") return desk.create(call);
  return call.call === "list" ? desk.list() : desk.revoke(call);
}

/** The desk of the process that runs on a data folder; where none does, calls fail with an error that `meansNobody`. */
export function remoteTokenAdmin(directory: string): TokenAdmin {
  const ask = async <Value>(call: Call, schema: z.ZodType<Value>): Promise<Value> => {
    const reply = await exchange(pathIn(directory), JSON.stringify(call));
    const refused = refusal.safeParse(reply);
    if (refused.success) throw errorOf(refused.data.error);
    const parsed = schema.safeParse(reply);
    if (parsed.success) return parsed.data;
    throw new Unavailable("the program that runs is of another version: restart it");
  };
  return {
    create: (wish) => ask({ call: "create", ...wish }, listed.extend({ token: z.string() })),
    list: () => ask({ call: "list" }, z.array(listed)),
    revoke: (wish) => ask({ call: "revoke", ...wish }, listed),
  };
}

export function isNotRunning(error: unknown): boolean {
  return ["ENOENT", "ECONNREFUSED"].includes(codeOf(error) ?? "");
}

async function exchange(path: string, sent: string): Promise<unknown> {
  const socket = createConnection(path);
  const giveUp = (): unknown => socket.destroy(new Error("no answer in time"));
  const patience = systemClock.setTimer(giveUp, PATIENCE_MS);
  socket.end(sent);
  try {
    return JSON.parse(await text(socket));
  } catch (cause) {
    if (isNotRunning(cause)) throw cause;
    throw new Unavailable(`the program that runs cannot be asked: ${messageOf(cause)}`, { cause });
  } finally {
    patience.cancel();
  }
}

function errorOf({ code, message }: z.output<typeof refusal>["error"]): Error {
  if (code === "invalid_input") return new InvalidInput(message);
  if (code === "not_found") return new NotFound(message);
  return code === "conflict" ? new Conflict(message) : new Unavailable(message);
}

function pathIn(directory: string): string {
  return join(directory, "control");
}
