import type { Command } from "commander";
import type { z } from "zod";

import { sleep } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import { isRecord } from "../kit/safe-json.ts";
import { CommandError } from "./command-context.ts";
import type { CommandContext } from "./command-context.ts";

export interface ApiOptions {
  readonly url?: string;
  readonly token?: string;
  readonly account?: string;
}

export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE";
export type JsonObject = Readonly<Record<string, unknown>>;

/** One call of the API; gives the object that it answers with. */
export type ApiClient = (
  verb: HttpMethod,
  resource: string,
  parameters?: JsonObject,
) => Promise<JsonObject>;

/** One whose answer may be a list. */
export type ApiListClient = (...sent: Parameters<ApiClient>) => Promise<object>;

interface Received {
  readonly response: Response;
  readonly text: string;
}

const PATIENCE_MS = 60_000;
const MOST_WAITS = 5;

export function withApiOptions(command: Command): Command {
  return command
    .optionsGroup("Where:")
    .option("--url <url>", "the installation (default: where the settings say that it is)")
    .option("--token <token>", "an API token; better in the environment, as WATCHPOST_TOKEN")
    .option("--account <id>", "a subaccount to work on (default: the token's own account)");
}

/** The API of an installation, for the account of the options. */
export function createApiClient(shell: CommandContext, options: ApiOptions): ApiClient {
  const call = createApiListClient(shell, options);
  return async (...sent) => {
    const answer = await call(...sent);
    if (!isRecord(answer)) throw new CommandError("the installation answered with a list");
    return answer;
  };
}

export function createApiListClient(shell: CommandContext, options: ApiOptions): ApiListClient {
  const root = `${(options.url ?? shell.settings().url).replace(/\/+$/, "")}/api/1`;
  const token = options.token ?? shell.settings().token;
  if (token === undefined) throw new CommandError(`no token: ${howToGetOne}`);
  const authorization = `Basic ${Buffer.from(`${token}:`).toString("base64")}`;
  const account = options.account === undefined ? {} : { customerid: options.account };

  const send = async (
    verb: HttpMethod,
    resource: string,
    parameters: JsonObject,
  ): Promise<Received> => {
    const isRead = verb === "GET" || verb === "DELETE";
    const query = isRead ? `?${new URLSearchParams(textsOf(parameters)).toString()}` : "";
    const abort = new AbortController();
    const patience = shell.clock.setTimer(
      () => abort.abort(new Error(`no answer in ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
    try {
      const response = await shell.fetch(`${root}/${resource}${query}`, {
        method: verb,
        headers: { authorization, "content-type": "application/json" },
        redirect: "manual",
        signal: abort.signal,
        ...(isRead ? {} : { body: JSON.stringify(parameters) }),
      });
      return { response, text: await response.text() };
    } catch (error) {
      throw new CommandError(`cannot reach ${root}: ${reasonOf(error)}`, { cause: error });
    } finally {
      patience.cancel();
    }
  };

  return async (verb, resource, parameters = {}) => {
    for (let waits = 0; ; waits += 1) {
      const received = await send(verb, resource, { ...account, ...parameters });
      const { status, headers } = received.response;
      if (status !== 429 || waits === MOST_WAITS) return answerOf(received, root);
      const seconds = Number(headers.get("retry-after") ?? 1);
      shell.printError(
        `The installation takes no more requests for now; going on in ${seconds} s.\n`,
      );
      await sleep(shell.clock, seconds * 1000);
    }
  };
}

/** Reads an answer as this version knows it. */
export function parseResponse<Schema extends z.ZodType>(
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CommandError(
    `the installation answers in a way that this version does not know: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

const howToGetOne =
  "give one with --token or in WATCHPOST_TOKEN; on the machine of the installation, `./watchpost token create` makes one";

function answerOf({ response, text }: Received, root: string): object {
  const location = response.headers.get("location");
  if (response.status >= 300 && response.status < 400 && location !== null)
    throw new CommandError(`${root} is at another address: ${location}`);
  const body = parsed(text);
  if (typeof body !== "object" || body === null)
    throw new CommandError(`${root} answered ${response.status} and no JSON: is it a Watchpost?`);
  // In legacy mode an error has the status of a success.
  if ("error" in body && typeof body.error === "string") {
    const isUnknownToken = response.status === 403 && body.error === "Token not found";
    throw new CommandError(isUnknownToken ? `${body.error}: ${howToGetOne}` : body.error);
  }
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textsOf(values: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** What `fetch` found is in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : (codeOf(cause) ?? messageOf(cause));
}
