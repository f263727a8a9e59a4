import { deriveLocationKey, writeLocationKey } from "../src/bus/location-key.ts";
import { runCommand } from "../src/cli/program.ts";
import { noTerminal } from "../src/cli/output/terminal.ts";
import type { CommandContext, LocalSettings } from "../src/cli/command-context.ts";
import { systemClock } from "../src/kit/clock.ts";
import { createSealer } from "../src/kit/crypto/seal.ts";
import { parseMailbox } from "../src/channels/mail/mailbox.ts";
import { createAccountAdmin } from "../src/store/transactions/account-admin.ts";
import { createTokenAdmin } from "../src/store/transactions/token-admin.ts";
import type { ApiFixture } from "./api-fixture.ts";

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const noBackups = {
  backup: refuse,
  storeBackup: refuse,
  listBackups: refuse,
  verifyBackup: refuse,
  makeBackupKey: refuse,
  restore: refuse,
} as const;

/** The command line in this process: arguments divided by spaces, then such as may hold some. */
export type CommandLine = (line: string, ...more: readonly string[]) => Promise<CommandResult>;

type Installation = Pick<ApiFixture, "app" | "store" | "clock" | "deps">;

/** The command line as somebody with that token has it. */
export function commandLine(
  cast: Installation,
  token: string | undefined,
  overrides: Partial<CommandContext> = {},
): CommandLine {
  return async (line, ...more) => {
    const { context, output } = commandContext(cast, token);
    const code = await runCommand([...line.split(" "), ...more], { ...context, ...overrides });
    return { code, ...output };
  };
}

/** Returns a command context with that token, and the printed output. */
export function commandContext(
  cast: Installation,
  token: string | undefined,
): { readonly context: CommandContext; readonly output: Readonly<Omit<CommandResult, "code">> } {
  const output = { out: "", err: "" };
  const context: CommandContext = {
    version: "1.2.3",
    print: (text) => (output.out += text),
    printError: (text) => (output.err += text),
    readInput: () => Promise.resolve(""),
    terminal: noTerminal,
    configFolder: "/nowhere",
    settings: () => ({ url: "http://watchpost.example", token }),
    tokenAdmin: () => createTokenAdmin({ ...cast.deps, store: cast.store, clock: cast.clock }),
    accountAdmin: () =>
      createAccountAdmin({ ...cast.deps, store: cast.store, clock: cast.clock, parseMailbox }),
    locationKey: (location, id) =>
      writeLocationKey(deriveLocationKey(createSealer(new Uint8Array(32)), location, id)),
    runProbe: () => Promise.resolve(),
    ...noBackups,
    async *examine() {},
    copyStore: () => Promise.resolve({ keyFolder: undefined }),
    environment: {},
    untilStopped: () => AbortSignal.abort(),
    fetch: (url, init) => injected(cast.app, url, init),
    clock: cast.clock,
  };
  return { context, output };
}

/** The command line as somebody has it who has only the API of a running service. */
export function remoteCommandLine(where: LocalSettings): CommandLine {
  return async (line, ...more) => {
    let out = "";
    let err = "";
    const code = await runCommand([...line.split(" "), ...more], {
      version: "1.2.3",
      print: (text) => (out += text),
      printError: (text) => (err += text),
      readInput: () => Promise.resolve(""),
      terminal: noTerminal,
      configFolder: "/nowhere",
      settings: () => where,
      tokenAdmin: refuse,
      accountAdmin: refuse,
      locationKey: refuse,
      runProbe: refuse,
      ...noBackups,
      async *examine() {},
      copyStore: refuse,
      environment: {},
      untilStopped: () => AbortSignal.abort(),
      fetch,
      clock: systemClock,
    });
    return { code, out, err };
  };
}

function refuse(): never {
  throw new Error("whoever tests this has an installation of their own");
}

async function injected(
  app: ApiFixture["app"],
  url: string,
  { method, headers, body }: RequestInit,
): Promise<Response> {
  const { pathname, search } = new URL(url);
  const answer = await app.inject({
    method: verbs.find((verb) => verb === method) ?? "GET",
    url: `${pathname}${search}`,
    headers: Object.fromEntries(new Headers(headers)),
    ...(typeof body === "string" ? { body } : {}),
  });
  const received = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new Response(answer.body, { status: answer.statusCode, headers: received });
}

const verbs = ["GET", "POST", "PUT", "DELETE"] as const;
