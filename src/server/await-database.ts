import { createServer, type OutgoingHttpHeaders, type ServerResponse } from "node:http";

import { sleep, type Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import { cannotListen } from "./cannot-listen.ts";
import type { Config } from "../settings/config.ts";

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called with each new reason to wait. */
  readonly waiting: (reason: string) => void;
  /** Whether the process answers on its own address already. */
  readonly isListening?: boolean;
}

const LOOK_INTERVAL_MS = 1000;
/** How often the log repeats why the process waits. */
const SAY_INTERVAL_MS = 30_000;

/**
 * Waits until the database accepts writes: one that is starting, recovering or failing over is there again soon. Meanwhile `/healthz` answers and
 * `/readyz` says why the process is not ready. Resolves with a sentence where the database refuses these settings, which no time changes.
 */
export async function awaitDatabase(
  { WATCHPOST_DATABASE_URL: url, WATCHPOST_LISTEN: place }: Config,
  { clock, log, signal, waiting, isListening = false }: Deps,
): Promise<string | undefined> {
  if (url === undefined) return undefined;
  const { probeDatabase } = await import("../store/postgres/probe-database.ts");
  const since = clock.monotonic();
  let health: Awaited<ReturnType<typeof serveHealth>> | undefined;
  let hasWaited = false;
  let reason = "";
  let saidAt = -Infinity;
  try {
    while (!signal.aborted) {
      const answer = await probeDatabase(url);
      if (answer.kind === "refused") return answer.reason;
      if (answer.kind === "ready") {
        const waitedMs = Math.round(clock.monotonic() - since);
        if (hasWaited) log.info("store.database_reached", { waitedMs });
        return undefined;
      }
      hasWaited = true;
      if (!isListening) health ??= await serveHealth(place, () => reason);
      if (answer.reason !== reason || clock.monotonic() - saidAt >= SAY_INTERVAL_MS) {
        saidAt = clock.monotonic();
        log.warn("store.awaiting_database", { reason: answer.reason });
      }
      if (answer.reason !== reason) waiting(answer.reason);
      ({ reason } = answer);
      await sleep(clock, LOOK_INTERVAL_MS, signal);
    }
    return undefined;
  } finally {
    await health?.close();
  }
}

/** Answers on the address of the process until its own server does. */
async function serveHealth(
  { host, port }: Config["WATCHPOST_LISTEN"],
  reason: () => string,
): Promise<{ readonly close: () => Promise<void> }> {
  const answer = (response: ServerResponse, status: number, body: object): void => {
    const headers: OutgoingHttpHeaders = { "content-type": "application/json" };
    headers.connection = "close";
    if (status === 503) headers["retry-after"] = "5";
    response.writeHead(status, headers).end(JSON.stringify(body));
  };
  const server = createServer(({ url }, response) => {
    const waiting = `waiting for the database: ${reason()}`;
    if (url === "/healthz") answer(response, 200, { ok: true });
    else if (url === "/readyz") answer(response, 503, { ready: false, reasons: [waiting] });
    else answer(response, 503, { error: waiting });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(cannotListen("WATCHPOST_LISTEN", `${host}:${port}`, cause)),
    );
    server.listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
