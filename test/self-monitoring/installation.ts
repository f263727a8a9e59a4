import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { z } from "zod";

import { systemClock } from "../../src/kit/clock.ts";
import { createIds } from "../../src/kit/ids.ts";
import {
  apiOfAccount,
  root,
  run,
  temporaryFolder,
  type ApiOfAccount,
  type Program,
} from "../e2e/process.ts";
import { closedPort } from "../peers/tcp.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import { alertmanager } from "../servers/alertmanager.ts";
import { prometheus } from "../servers/prometheus.ts";
import { waitFor } from "../time/wait-for.ts";

/** Changes of a cause to an ordinary installation. */
export interface Surroundings {
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of the installation, instead of a temporary one. */
  readonly folder?: string;
  /** Starts the program that follows it. */
  readonly prefix?: readonly string[];
}

/** A message that reached the receiver of the operator, of Alertmanager, or of the dead man's switch. */
export interface Arrival {
  /** Time on the monotonic clock. */
  readonly at: number;
  readonly path: string;
  readonly body: string;
}

/** A real Watchpost with a real Prometheus and Alertmanager. */
export interface Installation extends AsyncDisposable {
  readonly program: Program;
  readonly account: ApiOfAccount;
  readonly arrivals: readonly Arrival[];
  /** The problems that `/readyz` names; what it answered instead where it does not answer so. */
  readonly readiness: () => Promise<readonly string[]>;
  /** Returns the failed findings of `doctor`, by name. */
  readonly doctor: () => Promise<readonly string[]>;
}

export const paths = {
  operator: "/operator",
  alertmanager: "/alertmanager",
  switch: "/alive",
} as const;

const READY_TIMEOUT_MS = 3000;
const DOCTOR_TIMEOUT_MS = 60_000;

/** Starts everything, and waits until nothing is wrong and every way was tried. */
export async function install({
  settings: more,
  folder: given,
  prefix = [],
}: Surroundings): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  const own = stack.use(await temporaryFolder());
  const folder = given ?? own.path;
  const arrivals: Arrival[] = [];
  const outside = stack.use(await receiverPeer());
  outside.reply(({ path, body }) => {
    arrivals.push({ at: systemClock.monotonic(), path, body });
    return { status: 200 };
  });
  const token = createIds().token();
  const host = `127.0.0.1:${await closedPort()}`;
  const settings = {
    WATCHPOST_LISTEN: host,
    WATCHPOST_TOKEN: token,
    WATCHPOST_OPERATOR_WEBHOOK: `${outside.url}${paths.operator}`,
    WATCHPOST_DEAD_MANS_SWITCH_URL: `${outside.url}${paths.switch}`,
    ...more,
  };
  const command = [...prefix, join(root, "watchpost")];
  const program = stack.use(run(folder, settings, command));
  const base = `http://${host}`;
  const readiness = (): Promise<readonly string[]> => problemsAt(base);
  await waitFor("it is ready", async () => (await readiness()).length === 0);
  const manager = stack.use(await alertmanager(`${outside.url}${paths.alertmanager}`));
  const configuration = await configure(own.path, { host, token, alertmanager: manager.port });
  const server = stack.use(await prometheus(configuration));
  await waitFor("Prometheus reads it", async () => {
    const up = await server.query("up == 1");
    return up.length === 2;
  });
  await waitFor("the dead man's switch is told", () =>
    arrivals.some(({ path }) => path === paths.switch),
  );
  const kept = stack.move();
  return {
    program,
    account: apiOfAccount(base, token),
    arrivals,
    readiness,
    doctor: () => findingsOf({ folder, settings, command }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const readyzAnswer = z.object({
  reasons: z.array(z.string()),
  problems: z.array(z.object({ name: z.string() })),
});

async function problemsAt(base: string): Promise<readonly string[]> {
  try {
    const response = await fetch(`${base}/readyz`, {
      signal: AbortSignal.timeout(READY_TIMEOUT_MS),
    });
    const { reasons, problems } = readyzAnswer.parse(await response.json());
    const names = problems.map(({ name }) => name);
    return response.ok || names.length > 0 ? names : reasons;
  } catch {
    return ["no answer"];
  }
}

interface Addresses {
  readonly host: string;
  readonly token: string;
  readonly alertmanager: number;
}

/** The sample configuration with the rules, as they come with the program, for these addresses. */
async function configure(
  folder: string,
  { host, token, alertmanager }: Addresses,
): Promise<string> {
  const shipped = join(root, "deploy/prometheus");
  const place = join(folder, "prometheus");
  await mkdir(place);
  const tokenFile = join(place, "token");
  await writeFile(tokenFile, token);
  const text = (await readFile(join(shipped, "prometheus.yml"), "utf8"))
    .replaceAll("127.0.0.1:4848", host)
    .replace("- watchpost-rules.yml", `- ${join(shipped, "watchpost-rules.yml")}`)
    .replace("credentials_file: watchpost-token", `credentials_file: ${tokenFile}`);
  const file = join(place, "prometheus.yml");
  const managers = [{ static_configs: [{ targets: [`127.0.0.1:${alertmanager}`] }] }];
  await writeFile(file, `${text}\nalerting: ${JSON.stringify({ alertmanagers: managers })}\n`);
  return file;
}

interface Examined {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

const finding = z.object({ name: z.string(), state: z.string() });

async function findingsOf({
  folder,
  settings,
  command: [program = "", ...args],
}: Examined): Promise<readonly string[]> {
  const options = {
    cwd: folder,
    env: { ...process.env, ...settings },
    timeout: DOCTOR_TIMEOUT_MS,
  };
  // It fails where something does not work, and prints all the same.
  const { stdout } = await promisify(execFile)(
    program,
    [...args, "doctor", "--json"],
    options,
  ).catch((error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? "" }));
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => finding.parse(JSON.parse(line)))
    .filter(({ state }) => state !== "green")
    .map(({ name, state }) => `${name}: ${state}`);
}
