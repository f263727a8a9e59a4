import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { runParts } from "../foreground.ts";
import { versionOf } from "../install.ts";
import type { Monitor, MonitorWorld, Probe, Reading, Received, Target } from "../monitor.ts";
import { mailText, placeNotifyScript, readNotification } from "../notifications.ts";
import { filled, literalPattern } from "../templates.ts";

/** Where monit says that it can no longer alert. */
const STOPPED = /^.*(?:Cannot open the event queue|Aborting event).*$/m;

export const monit: Monitor = {
  name: "monit",
  version: () => versionOf("monit"),
  packages: ["monit", "curl"],
  configuration: [
    "The poll cycle is the interval, and alarms require consecutive failures with “for X cycles” (monit(1), FAULT TOLERANCE).",
    "Certificates are verified, which is off by default and recommended (monit(1), SSL OPTIONS).",
    "Mails are kept in the event queue while the mail server is away (monit(1), Event queue).",
    "Each test runs a script on failure and on success, which posts to the webhook with curl (monit(1), ACTION).",
    "A ping test sends up to three packets and needs one reply, the default (monit(1), NETWORK PING TEST).",
  ],
  ways: ["webhook", "mail"],
  locations: 1,
  readsClockThroughLibc: true,
  supports,
  async start(world) {
    await writeConfiguration(world);
    return runParts(
      world,
      [{ name: "monit", command: ["monit", "-I", "-c", join(world.folder, "monitrc")] }],
      { stopped: STOPPED },
    );
  },
  read: (received) =>
    received.way === "webhook" ? readNotification(received) : readMail(received),
};

/** Monit does not follow redirects, and its DNS test asks for no name of ours. */
function supports(probe: Probe): boolean {
  if (probe.kind === "http") return probe.followRedirects !== true;
  return probe.kind !== "dns";
}

/** Writes the configuration into the folder of the world. */
export async function writeConfiguration(world: MonitorWorld): Promise<void> {
  const { folder, schedule, authority, smtp, mailTo, webhook } = world;
  const notify = await placeNotifyScript(folder);
  const alert = await filled(join(import.meta.dirname, "alert.sh"), { notify, webhook });
  await writeFile(join(folder, "alert.sh"), alert, { mode: 0o755 });
  await mkdir(join(folder, "events"));
  const text = await filled(join(import.meta.dirname, "monitrc"), {
    ...schedule,
    folder,
    authority,
    mailTo,
    smtpHost: smtp.host,
    smtpPort: smtp.port,
    checks: world.targets.map((target) => checkOf(target, world)).join("\n"),
  });
  // Monit refuses a file that others can read.
  await writeFile(join(folder, "monitrc"), text, { mode: 0o600 });
}

/** The statement that checks a target. */
export function checkOf(
  { id, probe }: Target,
  { folder, schedule }: Pick<MonitorWorld, "folder" | "schedule">,
): string {
  const { address, tests } = testsOf(probe);
  const { timeoutSeconds, confirmations } = schedule;
  const script = join(folder, "alert.sh");
  const statements = tests.map(
    (
      test,
    ) => `  if failed ${test} with timeout ${timeoutSeconds} seconds for ${confirmations} cycles
    then exec "${script} down" else if succeeded then exec "${script} up"`,
  );
  return `check host ${id} with address ${address}\n${statements.join("\n")}`;
}

function testsOf(probe: Probe): { readonly address: string; readonly tests: readonly string[] } {
  switch (probe.kind) {
    case "http":
      return httpTests(probe);
    case "ping":
      return { address: probe.host, tests: ["ping count 3"] };
    case "smtp":
      return { address: probe.host, tests: [`port ${probe.port} protocol smtp`] };
    case "tcp":
      return { address: probe.host, tests: [`port ${probe.port} type tcp`] };
    case "tls": {
      const valid =
        probe.warnDays === undefined ? "" : ` and certificate valid > ${probe.warnDays} days`;
      return { address: probe.host, tests: [`port ${probe.port} type tcp ssl${valid}`] };
    }
    default:
      throw new Error("monit cannot ask a name server for a name");
  }
}

function httpTests(probe: Extract<Probe, { readonly kind: "http" }>): ReturnType<typeof testsOf> {
  const url = new URL(probe.url);
  const isTls = url.protocol === "https:";
  const start = [
    `port ${url.port === "" ? (isTls ? 443 : 80) : url.port}`,
    ...(probe.family === undefined ? [] : [`ipv${probe.family}`]),
    ...(isTls && probe.verifyTls === false ? ["with ssl options {verify: disable}"] : []),
    `protocol ${isTls ? "https" : "http"}`,
    `request ${JSON.stringify(`${url.pathname}${url.search}`)}`,
    `status ${probe.status === undefined ? "< 300" : `= ${probe.status}`}`,
  ].join(" ");
  const contents = [
    ...(probe.contains === undefined ? [] : [`content = ${quoted(probe.contains)}`]),
    ...(probe.lacks === undefined ? [] : [`content != ${quoted(probe.lacks)}`]),
  ];
  return {
    address: url.hostname.replaceAll(/[[\]]/g, ""),
    tests: contents.length === 0 ? [start] : contents.map((content) => `${start} ${content}`),
  };
}

function quoted(text: string): string {
  return `"${literalPattern(text)}"`;
}

/** The subject of an alert about a network test; other events are about monit itself. */
const EVENTS = /^monit alert -- +(.+ (failed|succeeded)) (\S+)$/;

function readMail(received: Received): readonly Reading[] {
  const [, event = "", end, target] = EVENTS.exec(received.headers["subject"] ?? "") ?? [];
  if (target === undefined) return [];
  const description = /^\s*Description:\s*(.*)$/m.exec(mailText(received))?.[1] ?? "";
  return [
    { target, state: end === "succeeded" ? "up" : "down", reason: `${event}: ${description}` },
  ];
}
