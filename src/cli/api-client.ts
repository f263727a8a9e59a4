import type { Command } from "commander";
import type { z } from "zod";

import { createDeadline } from "../kit/abort.ts";
import { sleep } from "../kit/clock.ts";
import { isRecord } from "../kit/safe-json.ts";
import { CommandError, type CommandContext } from "./command-context.ts";
import {
  howToGetToken,
  resolveApiTarget,
  type ApiOptions,
  type ApiTarget,
} from "./contexts/installation.ts";
import { networkTrouble } from "../kit/net/network-error.ts";

export type { ApiOptions } from "./contexts/installation.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE";
export type JsonObject = Readonly<Record<string, unknown>>;

/** Calls the API, and returns the object of the response. */
export type ApiClient = (
  verb: HttpMethod,
  resource: string,
  parameters?: JsonObject,
) => Promise<JsonObject>;

/** Calls an operation whose response may be a list. */
export type ApiListClient = (...sent: Parameters<ApiClient>) => Promise<object>;

interface Received {
  /** The base of the API that was asked. */
  readonly root: string;
  readonly response: Response;
  readonly text: string;
}

const PATIENCE_MS = 60_000;
const MAX_WAITS = 5;

export function withApiOptions(command: Command): Command {
  return command
    .optionsGroup("Where:")
    .option("--url <url>", "the installation (default: from the settings)")
    .option("--token <token>", "an API token; prefer WATCHPOST_TOKEN in the environment")
    .option("--context <name>", "a context of `login`, in place of URL and token")
    .option("--account <id>", "a subaccount (default: the token's own account)");
}

/** Creates a client for the installation and the account of the options. */
export function createApiClient(context: CommandContext, options: ApiOptions): ApiClient {
  const call = createApiListClient(context, options);
  return async (...sent) => {
    const answer = await call(...sent);
    if (!isRecord(answer)) throw new CommandError("the response is a list instead of an object");
    return answer;
  };
}

export function createApiListClient(context: CommandContext, options: ApiOptions): ApiListClient {
  let installation: Promise<ApiTarget> | undefined;
  let pause: Promise<void> | undefined;

  const send = async (
    verb: HttpMethod,
    resource: string,
    parameters: JsonObject,
  ): Promise<Received> => {
    const { root, token, account } = await (installation ??= resolveApiTarget(context, options));
    const sent = account === undefined ? parameters : { customerid: account, ...parameters };
    const authorization = authorizationOf(token);
    const isRead = verb === "GET" || verb === "DELETE";
    const query = isRead ? `?${new URLSearchParams(textsOf(sent)).toString()}` : "";
    const late = new Error(`no answer in ${PATIENCE_MS / 1000} s`);
    using deadline = createDeadline(context.clock, PATIENCE_MS, late);
    try {
      const response = await context.fetch(`${root}/${resource}${query}`, {
        method: verb,
        headers: { authorization, "content-type": "application/json" },
        redirect: "manual",
        signal: deadline.signal,
        ...(isRead ? {} : { body: JSON.stringify(sent) }),
      });
      return { root, response, text: await response.text() };
    } catch (error) {
      throw new CommandError(`cannot reach ${root}: ${networkTrouble(error)}`, { cause: error });
    }
  };

  return async (verb, resource, parameters = {}) => {
    for (let waits = 0; ; waits += 1) {
      const received = await send(verb, resource, parameters);
      const { status, headers } = received.response;
      if (status !== 429 || waits === MAX_WAITS) return answerOf(received);
      const seconds = Number(headers.get("retry-after") ?? 1);
      // Requests at the same time wait together.
      pause ??= paused(seconds, context).finally(() => (pause = undefined));
      await pause;
    }
  };
}

function paused(seconds: number, { clock, printError }: CommandContext): Promise<void> {
  printError(`The rate limit is reached; continuing in ${seconds} s.\n`);
  return sleep(clock, seconds * 1000);
}

/** Parses a response in the format of this version. */
export function parseResponse<Schema extends z.ZodType>(
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CommandError(
    `the response has a format that this version does not know: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

/** Throws a CommandError for a redirect, for what is no JSON, and for an error of the API. */
export function assertNoError(received: Received): void {
  answerOf(received);
}

function answerOf({ root, response, text }: Received): object {
  const location = response.headers.get("location");
  if (response.status >= 300 && response.status < 400 && location !== null)
    throw new CommandError(`${root} is at another address: ${location}`);
  const body = parsed(text);
  if (typeof body !== "object" || body === null)
    throw new CommandError(
      `${root} responded with ${response.status} and no JSON: is it a Watchpost installation?`,
    );
  // In legacy mode, errors have the status of a success.
  if ("error" in body && typeof body.error === "string") {
    const isUnknownToken = response.status === 403 && body.error === "Token not found";
    throw new CommandError(isUnknownToken ? `${body.error}: ${howToGetToken}` : body.error);
  }
  return body;
}

export function authorizationOf(token: string): string {
  return `Basic ${Buffer.from(`${token}:`).toString("base64")}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textsOf(values: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null ? JSON.stringify(value) : String(value),
    ]),
  );
}
