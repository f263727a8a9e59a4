import type { Command } from "commander";

import { sleep, type Timer } from "../../kit/clock.ts";
import { isRecord } from "../../kit/safe-json.ts";
import {
  assertNoError,
  authorizationOf,
  createApiListClient,
  withApiOptions,
  type ApiListClient,
  type ApiOptions,
  type JsonObject,
} from "../api-client.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { resolveApiTarget, type ApiTarget } from "../contexts/installation.ts";
import { cellOf } from "../derived/columns.ts";
import { createRecordNames } from "../derived/record-names.ts";
import { networkTrouble } from "../../kit/net/network-error.ts";
import { painted } from "../output/colors.ts";
import { eventsOf, type StreamEvent } from "../output/event-stream.ts";
import { stripControlCharacters } from "../table.ts";

interface Options extends ApiOptions {
  readonly json?: boolean;
  readonly all?: boolean;
}

/** The service gives a sign of life every 20 s; without one the connection is dead, whatever the system says. */
const SILENCE_MS = 60_000;
const RECONNECT_MS = [1000, 2000, 5000, 10_000, 30_000];

export function addTail(parent: Command, context: CommandContext): void {
  const command = parent
    .command("tail")
    .summary("show what happens to checks, as it happens")
    .description(
      "Shows a line whenever a check goes up or down, with the reason, whenever it changes otherwise, and for each run on request, until it is interrupted. A lost connection is made again, and nothing is left out.",
    )
    .argument("[id...]", "only these checks, by id or label; also each of their runs")
    .option("--all", "begin with a line for each check as it is now")
    .option("--json", "a line of JSON for each change, in the form of statuses of the API");
  withApiOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost tail
  $ ./watchpost tail --json | jq 'select(.status == "down") | .label'`,
    )
    .action(async (given: readonly string[], options: Options) => {
      const names = createRecordNames(context, options);
      const ids = await Promise.all(given.map((each) => names.idOf("checks", each)));
      await follow(ids, options, context);
    });
}

/** Follows until the process ends; throws errors that a reconnection cannot fix. */
async function follow(
  ids: readonly string[],
  options: Options,
  context: CommandContext,
): Promise<void> {
  const call = createApiListClient(context, options);
  const known = new Map<string, JsonObject>();
  const show = createPrinter(options, context);
  const take = async (statuses: unknown, isNews: boolean): Promise<void> => {
    const news = [statuses]
      .flat()
      .filter(isRecord)
      .filter((status) => {
        const id = String(status.id);
        if (ids.length > 0 && !ids.includes(id)) return false;
        const before = known.get(id);
        known.set(id, status);
        return isNews && !isSame(before, status);
      });
    const reasons = await reasonsOf(news, call);
    for (const status of news) show.status(status, reasons.get(String(status.id)));
  };
  const readAnew = async (isFirst: boolean): Promise<void> => {
    const all = await call("GET", "statuses");
    await take(all, !isFirst || options.all === true);
  };
  let isFirst = true;
  const receive = async ({ name, data }: StreamEvent): Promise<void> => {
    if (name === "reset") {
      await readAnew(isFirst);
      isFirst = false;
    } else if (name === "statuses") await take(data, true);
    else if (name === "removed")
      for (const id of [data].flat()) show.removed(known.get(String(id)) ?? { id });
    else if (name === "runs")
      for (const run of [data].flat(1)) {
        const id = String([run].flat()[0]);
        show.run(run, known.get(id), await lastResult(id, call));
      }
  };
  const installation = await resolveApiTarget(context, options);
  let since: string | undefined;
  let wasConnected = false;
  for (let losses = 0; ; losses += 1) {
    let reason = "it was closed";
    try {
      for await (const event of connect(installation, { ids, since }, context)) {
        if (event.id !== "") since = event.id;
        losses = 0;
        wasConnected = true;
        await receive(event);
      }
    } catch (error) {
      if (error instanceof CommandError) throw error;
      reason = networkTrouble(error);
      if (!wasConnected)
        throw new CommandError(`cannot reach ${installation.root}: ${reason}`, { cause: error });
    }
    const wait = RECONNECT_MS[Math.min(losses, RECONNECT_MS.length - 1)] ?? 0;
    if (losses > 0)
      context.printError(
        `The connection is lost: ${reason}. Watchpost tries again in ${wait / 1000} s.\n`,
      );
    await sleep(context.clock, wait);
  }
}

interface Position {
  readonly ids: readonly string[];
  readonly since: string | undefined;
}

async function* connect(
  { root, token, account }: ApiTarget,
  { ids, since }: Position,
  { fetch, clock }: CommandContext,
): AsyncGenerator<StreamEvent> {
  const query = new URLSearchParams({
    ...(account !== undefined && { customerid: account }),
    ...(ids.length > 0 ? { watch: ids.join(",") } : { requested: "true" }),
    ...(since !== undefined && { since }),
  });
  const abort = new AbortController();
  const watch = (): Timer => clock.setTimer(() => abort.abort(), SILENCE_MS);
  let patience = watch();
  try {
    const response = await fetch(`${root}/updates?${query.toString()}`, {
      headers: { authorization: authorizationOf(token), accept: "text/event-stream" },
      redirect: "manual",
      signal: abort.signal,
    });
    if (response.status >= 500 || response.status === 429)
      throw new Error(`it responded with ${response.status}`);
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !type.startsWith("text/event-stream") || response.body === null) {
      assertNoError({ root, response, text: await response.text() });
      throw new CommandError(`${root} sends no updates: is it a Watchpost installation?`);
    }
    for await (const event of eventsOf(response.body)) {
      patience.cancel();
      yield event;
      patience = watch();
    }
  } finally {
    patience.cancel();
    abort.abort();
  }
}

/** Reasons why checks are down, by ID; unknown ones are omitted. */
async function reasonsOf(
  statuses: readonly JsonObject[],
  call: ApiListClient,
): Promise<ReadonlyMap<string, string>> {
  if (statuses.every(({ status }) => status !== "down")) return new Map();
  const overview = await call("GET", "statuses/overview").catch(() => undefined);
  const down = isRecord(overview) ? [overview.down].flat().filter(isRecord) : [];
  return new Map(down.map(({ id, message, result }) => [String(id), cellOf(message || result)]));
}

async function lastResult(id: string, call: ApiListClient): Promise<JsonObject | undefined> {
  const found = await call("GET", "results", { id, limit: 1, clean: true }).catch(() => []);
  return [found].flat().find(isRecord);
}

/** Returns whether a person would see no difference: runs alone are no change. */
function isSame(before: JsonObject | undefined, now: JsonObject): boolean {
  if (before === undefined) return false;
  const seen = ({ status, since, label, mute, acknowledged, trouble }: JsonObject): string =>
    JSON.stringify([status, since, label, mute, acknowledged, trouble]);
  return seen(before) === seen(now);
}

interface Printer {
  readonly status: (status: JsonObject, reason: string | undefined) => void;
  readonly removed: (status: JsonObject) => void;
  readonly run: (
    run: unknown,
    status: JsonObject | undefined,
    result: JsonObject | undefined,
  ) => void;
}

function createPrinter({ json = false }: Options, context: CommandContext): Printer {
  const { print, terminal } = context;
  const line = (at: unknown, word: string, rest: string): void => {
    const shown = terminal.hasColors ? painted(word) : word;
    print(`${cellOf(at)}  ${shown}${" ".repeat(Math.max(1, 12 - word.length))}${rest}\n`);
  };
  const nameOf = ({ label, id }: JsonObject): string => stripControlCharacters(cellOf(label ?? id));
  const toJson = (value: object): void => print(`${JSON.stringify(value)}\n`);
  return {
    status(status, reason) {
      if (json) return toJson(reason === undefined ? status : { ...status, reason });
      const { acknowledged, trouble } = status;
      const notes = [
        ...(reason === undefined ? [] : [reason]),
        ...(isRecord(acknowledged) ? [`acknowledged by ${cellOf(acknowledged.by)}`] : []),
        ...(trouble === undefined ? [] : [cellOf(trouble)]),
      ].map(stripControlCharacters);
      line(status.since, cellOf(status.status), [nameOf(status), ...notes].join("  "));
    },
    removed(status) {
      if (json) toJson({ id: status.id, removed: true });
      else line(context.clock.now(), "removed", nameOf(status));
    },
    run(run, status, result) {
      const [id, at, ms] = [run].flat();
      // A later run may have ended meanwhile.
      const own = result !== undefined && result.s === at ? result : undefined;
      const { su: passed, sc, m } = own ?? {};
      if (json) return toJson({ id, run: at, ms, ...(own && { passed, result: sc, message: m }) });
      const word = own && `  ${passed === true ? "passed" : "failed"}: ${cellOf(m || sc)}`;
      const text = `${nameOf(status ?? { id })}  ${cellOf(ms)} ms${word ?? ""}`;
      line(at, "run", stripControlCharacters(text));
    },
  };
}
