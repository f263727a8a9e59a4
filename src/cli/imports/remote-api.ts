import { readFile } from "node:fs/promises";

import { createDeadline } from "../../kit/abort.ts";
import { sleep } from "../../kit/clock.ts";
import { fileTrouble } from "../../kit/file-error.ts";
import { isRecord, parseJson } from "../../kit/safe-json.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { networkTrouble } from "../../kit/net/network-error.ts";
import { stripControlCharacters } from "../table.ts";
import type { RemoteApi, RemoteSystem } from "./imported.ts";

export interface RemoteOptions {
  readonly fromUrl?: string;
  readonly fromTokenEnv?: string;
  readonly fromTokenFile?: string;
}

type Sources = Pick<CommandContext, "fetch" | "clock" | "printError" | "environment">;

const TIMEOUT_MS = 60_000;
const MAX_WAITS = 10;
const MAX_WAIT_S = 300;
const MAX_REQUESTS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ANSWER_LENGTH = 300;
const LIMITS = { depth: 50, keys: 2_000_000 };

/** A token is not an argument: those of a process are shown to everyone on its machine. */
export async function remoteToken(
  { environment }: Pick<Sources, "environment">,
  { fromTokenEnv, fromTokenFile }: RemoteOptions,
): Promise<string> {
  if (fromTokenEnv !== undefined && fromTokenFile !== undefined)
    throw new CommandError("--from-token-env and --from-token-file: give one of them");
  const token =
    fromTokenFile === undefined
      ? environment[fromTokenEnv ?? ""]
      : await readFile(fromTokenFile, "utf8").catch((error: unknown) => {
          throw new CommandError(
            `cannot read ${JSON.stringify(fromTokenFile)}: ${fileTrouble(error)}`,
          );
        });
  if (token === undefined || token.trim() === "")
    throw new CommandError(
      fromTokenFile === undefined
        ? `--from-token-env: the environment has no ${fromTokenEnv ?? ""}`
        : "--from-token-file: the file is empty",
    );
  return token.trim();
}

interface Remote {
  readonly system: RemoteSystem;
  readonly url: string | undefined;
  readonly token: string;
}

export function createRemoteApi(
  { fetch, clock, printError }: Sources,
  { system, url = system.usualUrl, token }: Remote,
): RemoteApi {
  const root = url.replace(/\/+$/, "");
  const { origin } = URL.parse(root) ?? {};
  if (origin === undefined || !/^https?:/.test(root))
    throw new CommandError(`--from-url: no URL of http or https: ${root}`);
  let requests = 0;
  let bytes = 0;

  const send = async (address: string, init: RequestInit): Promise<Response> => {
    requests += 1;
    if (requests > MAX_REQUESTS)
      throw new CommandError(`${root}: more than ${MAX_REQUESTS} requests are needed`);
    const late = new Error(`no answer in ${TIMEOUT_MS / 1000} s`);
    using deadline = createDeadline(clock, TIMEOUT_MS, late);
    try {
      const { signal } = deadline;
      const response = await fetch(address, { ...init, redirect: "manual", signal });
      const left = MAX_BYTES - bytes;
      const body = await limitedBody(response, left);
      if (body === undefined)
        throw new CommandError(`${root}: more than ${MAX_BYTES} bytes of answers`);
      bytes += body.length;
      return new Response(emptyStatuses.has(response.status) ? null : body, response);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw new CommandError(`cannot reach ${root}: ${networkTrouble(error)}`, { cause: error });
    }
  };

  const ask = async (address: string, init: RequestInit): Promise<unknown> => {
    // A link to a next page must not take the token elsewhere.
    if (URL.parse(address)?.origin !== origin)
      throw new CommandError(
        `${root} leads to another address: ${stripControlCharacters(address)}`,
      );
    for (let waits = 0; ; waits += 1) {
      const response = await send(address, init);
      if (response.status !== 429 || waits === MAX_WAITS) return answerOf(address, response);
      const retryAfter = Number(response.headers.get("retry-after") ?? 1);
      const seconds = Math.min(Math.max(1, retryAfter || 1), MAX_WAIT_S);
      printError(`Its rate limit is reached; continuing in ${seconds} s.\n`);
      await sleep(clock, seconds * 1000);
    }
  };

  const headers = { accept: "application/json", ...system.headersOf(token) };
  const addressOf = (path: string): string => (/^https?:/.test(path) ? path : `${root}/${path}`);
  return {
    token,
    now: () => clock.now(),
    get(path, query = {}) {
      const sent = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
      const address = addressOf(path);
      return ask(sent === "" ? address : `${address}?${sent}`, { method: "GET", headers });
    },
    post: (path, body) =>
      ask(addressOf(path), {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
}

const emptyStatuses = new Set([204, 205, 304]);

/** Undefined if it is longer. */
async function limitedBody(
  response: Response,
  most: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function answerOf(address: string, response: Response): Promise<unknown> {
  const { origin = "", pathname = "" } = URL.parse(address) ?? {};
  const where = `${origin}${pathname}`;
  const text = await response.text();
  if (response.status >= 300 && response.status < 400)
    throw new CommandError(
      `${where} is at another address: ${stripControlCharacters(response.headers.get("location") ?? "")}`,
    );
  const said = (reason: string): CommandError =>
    new CommandError(
      `${where} responded with ${stripControlCharacters(reason).slice(0, MAX_ANSWER_LENGTH)}`,
    );
  if (!response.ok) throw said(`${response.status}: ${text}`);
  const body = parseJson(where, text, LIMITS);
  if (isRecord(body) && typeof body.error === "string") throw said(body.error);
  return body;
}
