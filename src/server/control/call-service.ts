import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

import { z } from "zod";

import { systemClock } from "../../kit/clock.ts";
import {
  codeOf,
  Conflict,
  InvalidInput,
  messageOf,
  NotFound,
  Unavailable,
} from "../../kit/errors.ts";
import { controlSocketPath } from "./socket-path.ts";

const RESPONSE_TIMEOUT_MS = 60_000;

const refusal = z.object({ error: z.string() });

interface Call {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

export type CallService = <Value>(sent: Call, schema: z.ZodType<Value>) => Promise<Value>;

/** Calls the service that runs on a data folder. If none runs, calls fail with an error for which `isNotRunning` is true. */
export function callService(directory: string): CallService {
  const socketPath = controlSocketPath(directory);
  return async (sent, schema) => {
    const { status, body } = await send(socketPath, sent);
    const refused = refusal.safeParse(body);
    if (status >= 400 && refused.success) throw errorOf(status, refused.data.error);
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new Unavailable("the running service is of another version: restart it");
  };
}

export function isNotRunning(error: unknown): boolean {
  return ["ENOENT", "ECONNREFUSED"].includes(codeOf(error) ?? "");
}

async function send(
  socketPath: string,
  { method, path, body }: Call,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const request = httpRequest({ socketPath, method, path, headers });
  const timeout = systemClock.setTimer(
    () => request.destroy(new Error(`no response within ${RESPONSE_TIMEOUT_MS / 1000} s`)),
    RESPONSE_TIMEOUT_MS,
  );
  try {
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response]: IncomingMessage[] = await once(request, "response");
    if (response === undefined) throw new Error("no response");
    return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) };
  } catch (cause) {
    if (isNotRunning(cause)) throw cause;
    throw new Unavailable(`the running service cannot be reached: ${messageOf(cause)}`, { cause });
  } finally {
    timeout.cancel();
  }
}

function errorOf(status: number, message: string): Error {
  if (status === 400) return new InvalidInput(message);
  if (status === 404) return new NotFound(message);
  return status === 409 ? new Conflict(message) : new Unavailable(message);
}
