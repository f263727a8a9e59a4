import { createServer } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

import { systemClock } from "../src/kit/clock.ts";
import { start } from "../test/e2e/process.ts";
import type { CheckRecord, ResultRecord, Site } from "../test/e2e/process.ts";
import { eventually } from "../test/eventually.ts";
import { headerOf, smtpPeer } from "../test/peers/smtp.ts";
import type { SmtpPeer } from "../test/peers/smtp.ts";
import { listen } from "../test/peers/tcp.ts";

const CHECKS = 40;
const LIMIT_MS = 60_000;

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
  const checks = await makeChecks(site, `http://127.0.0.1:${web.port}`);
  await eventually("the first results are mailed", () => smtp.mails.length === CHECKS, LIMIT_MS);

  const one: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of ["DOWN", "UP"] as const) {
      for (const check of checks) one.push(...(await flip([check], { kind, failing, site, smtp })));
    }
    for (const kind of ["DOWN", "UP"] as const)
      together.push(...(await flip(checks, { kind, failing, site, smtp })));
  }
  return [
    `Detection: two rechecks, ${CHECKS} checks, ${rounds} rounds; ms from the first run of a flip to its mail`,
    "",
    "| flips | p50 | p95 | most | number |",
    "|---|---|---|---|---|",
    rowOf("one after the other", one),
    rowOf(`${CHECKS} at once`, together),
  ].join("\n");
}

async function makeChecks(site: Site, url: string): Promise<readonly CheckRecord[]> {
  const contacts: Record<string, { addresses: object }> = await site.api("GET contacts");
  const [mailbox = ""] = Object.values(contacts).flatMap(({ addresses }) => Object.keys(addresses));
  const checks: CheckRecord[] = [];
  for (let made = 0; made < CHECKS; made += 1) {
    checks.push(
      await site.api("POST checks", {
        type: "HTTP",
        target: `${url}/${made}`,
        label: `check ${made}`,
        interval: 60,
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
  readonly site: Site;
  readonly smtp: SmtpPeer;
}

/** Turns the targets, has the checks run, and gives how long each mail took. */
async function flip(
  checks: readonly CheckRecord[],
  { kind, failing, site, smtp }: Scene,
): Promise<readonly number[]> {
  const seen = smtp.mails.length;
  for (const { parameters } of checks) {
    const path = new URL(String(parameters.target)).pathname;
    if (kind === "DOWN") failing.add(path);
    else failing.delete(path);
  }
  const arrivals = new Map<string, number>();
  const arrived = eventually(
    "every mail",
    () => {
      for (const { raw } of smtp.mails.slice(seen + arrivals.size)) {
        const [, label = ""] =
          /^(?:DOWN|UP): (check \d+)/.exec(headerOf(raw, "subject") ?? "") ?? [];
        arrivals.set(label, systemClock.now());
      }
      return arrivals.size === checks.length;
    },
    LIMIT_MS,
  );
  // Any PUT makes a check run at once.
  await Promise.all(
    checks.map(({ _id }) => site.api(`PUT checks/${_id}`, { public: kind === "UP" })),
  );
  await arrived;
  return Promise.all(
    checks.map(async ({ _id, parameters }) => {
      const [result]: readonly ResultRecord[] = await site.api(`GET results/${_id}?limit=1`);
      const began = Math.min(...Object.keys(result?.l ?? {}).map(Number));
      const number = new URL(String(parameters.target)).pathname.slice(1);
      return (arrivals.get(`check ${number}`) ?? NaN) - began;
    }),
  );
}

function rowOf(name: string, values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const [p50, p95, most] = [0.5, 0.95, 1].map(
    (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))],
  );
  return `| ${name} | ${p50} | ${p95} | ${most} | ${sorted.length} |`;
}
