import { createServer } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

import { sleep, systemClock } from "../src/kit/clock.ts";
import {
  start,
  type CheckRecord,
  type ResultRecord,
  type RunningInstallation,
} from "../test/e2e/process.ts";
import { waitFor } from "../test/time/wait-for.ts";
import { smtpPeer, type SmtpPeer } from "../test/peers/smtp.ts";
import { listen } from "../test/peers/tcp.ts";
import { alertsInMail } from "../test/alerts-in-mail.ts";

const CHECKS = 40;
/** After which no alert waits to be grouped. */
const QUIET_MS = 5500;

/**
 * From the start of the first run that failed, or that passed again, to the mail that the mail server has: each flip is confirmed by two rechecks from
 * other locations, stored and synced first. The web server answers at once, so nothing of a timeout is in it.
 */
export async function benchDetection(rounds: number): Promise<string> {
  const failing = new Set<string>();
  await using web = await listen(
    createServer((request, response) =>
      response.writeHead(failing.has(request.url ?? "") ? 503 : 200).end(),
    ),
  );
  await using smtp = await smtpPeer();
  const path = await mkdtemp(join(import.meta.dirname, "../data-bench-"));
  await using _folder = { [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
  await using site = await start(path, {
    WATCHPOST_LOCATIONS: "ny:nam,ld:eur,tk:eao",
    WATCHPOST_OWNER_EMAIL: "owner@example.net",
    WATCHPOST_MAIL_FROM: "watch@example.net",
    WATCHPOST_SMTP_URL: smtp.url,
    WATCHPOST_TOKEN_RATE: "0",
    WATCHPOST_ADDRESS_RATE: "0",
  });
  const url = `http://127.0.0.1:${web.port}`;
  const apart = await makeChecks(site, {
    url,
    prefix: "own",
    mailboxes: await mailboxes(site, CHECKS),
  });
  const shared = await makeChecks(site, {
    url,
    prefix: "shared",
    mailboxes: await mailboxes(site, 1),
  });
  const mailedLabels = (): number =>
    smtp.mails.reduce((sum, { raw }) => sum + labelsIn(raw).length, 0);
  await waitFor("the first results are mailed", () => mailedLabels() === 2 * CHECKS);

  const single = series();
  const atOnce = series();
  const bundled = series();
  const turn = async (waves: readonly (readonly CheckRecord[])[], to: Series): Promise<void> => {
    for (const kind of ["DOWN", "UP"] as const) {
      await sleep(systemClock, QUIET_MS);
      for (const checks of waves) await flip(checks, { kind, failing, site, smtp, to });
    }
  };
  for (let round = 0; round < rounds; round += 1) {
    await turn(
      apart.map((check) => [check]),
      single,
    );
    await turn([apart], atOnce);
    await turn([shared], bundled);
  }
  return [
    `Detection: two rechecks, ${CHECKS} checks, ${rounds} rounds; ms from the first run of a flip to its mail`,
    "",
    "| flips | p50 | p95 | most | number | mails |",
    "|---|---|---|---|---|---|",
    rowOf("one after the other", single),
    rowOf(`${CHECKS} at once, to as many mailboxes`, atOnce),
    rowOf(`${CHECKS} at once, to one mailbox`, bundled),
  ].join("\n");
}

interface Series {
  readonly values: number[];
  mails: number;
}

function series(): Series {
  return { values: [], mails: 0 };
}

async function mailboxes(site: RunningInstallation, count: number): Promise<readonly string[]> {
  const newaddresses = Array.from({ length: count }, (_, index) => ({
    address: `box${index}@example.net`,
    type: "email",
  }));
  const contact = await site.api("POST contacts", {
    name: "Bench",
    custrole: "notify",
    newaddresses,
  });
  return Object.keys(contact.addresses);
}

/** The checks that a mail names. */
function labelsIn(raw: string): readonly string[] {
  return alertsInMail(raw).flatMap((name) => /(?:own|shared) \d+/.exec(name) ?? []);
}

async function makeChecks(
  site: RunningInstallation,
  { url, prefix, mailboxes }: { url: string; prefix: string; mailboxes: readonly string[] },
): Promise<readonly CheckRecord[]> {
  const checks: CheckRecord[] = [];
  for (let made = 0; made < CHECKS; made += 1) {
    const mailbox = mailboxes[made % mailboxes.length] ?? "";
    checks.push(
      await site.api("POST checks", {
        type: "HTTP",
        target: `${url}/${prefix}-${made}`,
        label: `${prefix} ${made}`,
        interval: 60,
        // The recheck wait is known, so only the rest is measured.
        recheckwait: 0,
        enabled: true,
        notifications: [{ [mailbox]: "All" }],
      }),
    );
  }
  return checks;
}

interface Scene {
  readonly kind: "DOWN" | "UP";
  readonly failing: Set<string>;
  readonly site: RunningInstallation;
  readonly smtp: SmtpPeer;
  readonly to: Series;
}

/** Turns the targets, has the checks run, and notes how long it took until a mail named each. */
async function flip(
  checks: readonly CheckRecord[],
  { kind, failing, site, smtp, to }: Scene,
): Promise<void> {
  const before = smtp.mails.length;
  for (const { parameters } of checks) {
    const path = new URL(String(parameters.target)).pathname;
    if (kind === "DOWN") failing.add(path);
    else failing.delete(path);
  }
  const arrivals = new Map<string, number>();
  let seen = before;
  const arrived = waitFor("every mail", () => {
    for (const { raw } of smtp.mails.slice(seen)) {
      for (const label of labelsIn(raw)) arrivals.set(label, systemClock.now());
      seen += 1;
    }
    return arrivals.size === checks.length;
  });
  // A change of what runs makes a check run at once.
  const threshold = kind === "UP" ? 5 : 6;
  await Promise.all(checks.map(({ _id }) => site.api(`PUT checks/${_id}`, { threshold })));
  await arrived;
  to.mails += smtp.mails.length - before;
  for (const { _id, parameters } of checks) {
    const [result]: readonly ResultRecord[] = await site.api(`GET results/${_id}?limit=1`);
    const began = Math.min(...Object.keys(result?.l ?? {}).map(Number));
    const label = new URL(String(parameters.target)).pathname.slice(1).replace("-", " ");
    to.values.push((arrivals.get(label) ?? NaN) - began);
  }
}

function rowOf(name: string, { values, mails }: Series): string {
  const sorted = values.toSorted((one, other) => one - other);
  const [p50, p95, most] = [0.5, 0.95, 1].map(
    (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))],
  );
  return `| ${name} | ${p50} | ${p95} | ${most} | ${sorted.length} | ${mails} |`;
}
