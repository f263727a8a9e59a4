import { once } from "node:events";
import { connect } from "node:net";

import { z } from "zod";

import {
  serviceProblemNames,
  serviceProblems,
  titleOfProblem,
} from "../../domain/service-problem.ts";
import { distanceTrouble, MAX_ROUND_TRIP_MS } from "../../store/round-trip.ts";
import { verifyMailServer } from "../../channels/verify-mail-server.ts";
import type { Clock } from "../../kit/clock.ts";
import { codeOf, messageOf } from "../../kit/errors.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import type { Secret } from "../../kit/crypto/secret.ts";
import type { Finding } from "./finding.ts";
import { remedyFor } from "./remedies.ts";
import { clockOffset, type NtpServer } from "./sntp.ts";

const ANSWER_MS = 5000;
const [AMBER_OFF_MS, RED_OFF_MS] = [2000, 30_000];
/** Resolution of a Date header: seconds. */
const DATE_STEP_MS = 1000;

export async function mailFinding(url: Secret | undefined): Promise<Finding> {
  const name = "mail server";
  if (url === undefined)
    return {
      name,
      state: "amber",
      found: "none is set",
      advice: "set WATCHPOST_SMTP_URL and WATCHPOST_MAIL_FROM, or no alert goes by mail",
    };
  const { host } = new URL(url.reveal());
  const trouble = await verifyMailServer(url);
  if (trouble === undefined) return { name, state: "green", found: `${host} lets us in` };
  const advice =
    "look at WATCHPOST_SMTP_URL: host, port, user, and smtps:// for TLS from the start";
  return { name, state: "red", found: `${host}: ${trouble}`, advice: remedyFor(trouble, advice) };
}

const ROUND_TRIPS = 5;
const FAR_ADVICE = `run the database and this process in one region: more than ${MAX_ROUND_TRIP_MS} ms delay results and alerts; docs/scaling.md`;

/** The version of a database on a server, and how far away it is. */
export async function postgresFinding(
  url: Secret,
  clock: Pick<Clock, "monotonic">,
): Promise<Finding> {
  const name = "PostgreSQL";
  const { createPool } = await import("../../store/postgres/pool.ts");
  const pool = createPool({ url, most: 1 });
  try {
    const client = await pool.connect();
    try {
      const times: number[] = [];
      let version = "";
      for (let asked = 0; asked < ROUND_TRIPS; asked += 1) {
        const before = clock.monotonic();
        const { rows } = await client.query<{ readonly version: string }>(
          "select version() as version",
          [],
        );
        times.push(clock.monotonic() - before);
        [version = ""] = (rows[0]?.version ?? "").split(" on ");
      }
      // The least is what the way takes; the others have waited for a processor as well.
      const roundTripMs = Math.min(...times);
      const found = `${version} answers in ${roundTripMs.toFixed(1)} ms`;
      return distanceTrouble(roundTripMs) === undefined
        ? { name, state: "green", found }
        : { name, state: "amber", found, advice: FAR_ADVICE };
    } finally {
      client.release();
    }
  } catch (error) {
    const advice = "look at WATCHPOST_DATABASE_URL, and whether the server lets this machine in";
    return { name, state: "red", found: messageOf(error), advice: remedyFor(error, advice) };
  } finally {
    await pool.end();
  }
}

/** A NATS server says first who it is. */
export async function natsFinding(url: string): Promise<Finding> {
  const name = "NATS";
  const { hostname, port } = new URL(url.includes("://") ? url : `nats://${url}`);
  const place = `${hostname}:${port || "4222"}`;
  try {
    const said = await firstWords(hostname, Number(port || 4222));
    const [, version] = /^INFO .*"version":"([^"]+)"/.exec(said) ?? [];
    if (version !== undefined)
      return { name, state: "green", found: `${place} has version ${version}` };
    return {
      name,
      state: "red",
      found: `${place} is no NATS server`,
      advice: "look at WATCHPOST_NATS_URL",
    };
  } catch (error) {
    const found = `${place}: ${codeOf(error) ?? messageOf(error)}`;
    return { name, state: "red", found, advice: "look at WATCHPOST_NATS_URL, and at the firewall" };
  }
}

const readiness = z.object({
  reasons: z.array(z.string()),
  problems: z
    .array(z.object({ name: z.enum(serviceProblemNames), subject: z.string(), found: z.string() }))
    .default([]),
});

/** Whether the service runs, and each problem that it has. */
export async function serviceFindings(
  base: string,
  metricsToken: Secret | undefined,
): Promise<readonly Finding[]> {
  const name = "service";
  try {
    const response = await fetch(`${base}/readyz`, {
      ...(metricsToken && { headers: { authorization: `Bearer ${metricsToken.reveal()}` } }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { reasons, problems } = readiness.parse(await response.json());
    const advice = "look at its log, and at docs/self-monitoring.md";
    return [
      response.ok
        ? { name, state: "green", found: `${base} is ready` }
        : { name, state: "red", found: `${base} is not ready: ${reasons.join("; ")}`, advice },
      ...problems.map((problem): Finding => {
        const state = serviceProblems[problem.name].critical ? "red" : "amber";
        return { name: titleOfProblem(problem), state, found: problem.found, advice };
      }),
    ];
  } catch {
    const advice = "start it, or set WATCHPOST_LISTEN as the service has it";
    return [{ name, state: "amber", found: `no Watchpost answers at ${base}`, advice }];
  }
}

/** The way out and the clock, by any server of the web: its Date header has the time (RFC 9110, 6.6.1). */
export async function outsideFindings(url: string, now: () => number): Promise<readonly Finding[]> {
  const before = now();
  try {
    const response = await fetch(url, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const reached: Finding = { name: "way out", state: "green", found: `${url} answers` };
    const at = Date.parse(response.headers.get("date") ?? "");
    return [reached, clockFinding((before + now()) / 2 - at)];
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const found = `${url}: ${codeOf(cause) ?? messageOf(cause)}`;
    const advice = "mend the network, or the firewall: targets and receivers are out there";
    return [{ name: "way out", state: "red", found, advice: remedyFor(cause, advice) }];
  }
}

/** Without a response the clock is unknown: a network without Internet access is not an error. */
export async function ntpFinding(server: NtpServer, now: () => number): Promise<Finding> {
  const name = "clock by NTP";
  try {
    const aheadMs = await clockOffset(server, now, ANSWER_MS);
    const { state, advice } = clockFinding(aheadMs, 0);
    const found = `${Math.abs(aheadMs).toFixed(0)} ms ${aheadMs > 0 ? "ahead of" : "behind"} ${server.host}`;
    return { name, state, found, advice };
  } catch (error) {
    const code = error instanceof ProtocolError ? undefined : codeOf(error);
    const why = code === "ABORT_ERR" ? "no answer" : (code ?? messageOf(error));
    return {
      name,
      state: "amber",
      found: `could not ask ${server.host}: ${why}`,
      advice: "let UDP to port 123 out, or name another server with --ntp",
    };
  }
}

export function clockFinding(aheadMs: number, stepMs = DATE_STEP_MS): Finding {
  const name = "clock";
  if (Number.isNaN(aheadMs))
    return {
      name,
      state: "amber",
      found: "that server does not send the time",
      advice: "name another with --reach",
    };
  const off = Math.abs(aheadMs) - stepMs;
  const found = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? "ahead" : "behind"}`;
  const state = off > RED_OFF_MS ? "red" : off > AMBER_OFF_MS ? "amber" : "green";
  const advice = "run a time service, such as systemd-timesyncd or chrony";
  return { name, state, found, ...(state !== "green" && { advice }) };
}

async function firstWords(host: string, port: number): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal });
    const [chunk]: readonly unknown[] = await once(socket, "data", { signal });
    return String(chunk);
  } finally {
    socket.destroy();
  }
}
