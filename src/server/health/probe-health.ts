import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

import { messageOf } from "../../kit/errors.ts";
import { cannotListen } from "../cannot-listen.ts";
import { assertMayReadMetrics } from "../metrics-access.ts";
import type { Health } from "./health-routes.ts";

/** A probe has few monitoring clients. */
const MAX_CONNECTIONS = 32;
const REQUEST_TIMEOUT_MS = 10_000;

export interface ProbeHealth {
  readonly port: number;
  readonly close: () => void;
}

/** Says how a probe is. Without the server of the service, which takes 10 MB. */
export async function serveProbeHealth(
  { host, port }: { readonly host: string; readonly port: number },
  health: Health,
): Promise<ProbeHealth> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const [path] = (request.url ?? "").split("?");
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead) answer(response, 405, { error: "only GET" });
    else if (path === "/healthz") answer(response, 200, { ok: true });
    else if (path === "/readyz") {
      const reasons = health.unready();
      const ready = reasons.length === 0;
      answer(response, ready ? 200 : 503, { ready, reasons });
    } else if (path === "/metrics") {
      try {
        assertMayReadMetrics(request, health.metricsToken);
      } catch (error) {
        return answer(response, 403, { error: messageOf(error) });
      }
      void expose(health, response);
    } else answer(response, 404, { error: "a probe serves /healthz, /readyz and /metrics" });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host, port });
  await once(server, "listening").catch((cause: unknown) => {
    throw cannotListen("WATCHPOST_HEALTH_LISTEN", `${host}:${port}`, cause);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function expose({ metrics }: Health, response: ServerResponse): Promise<void> {
  try {
    const { body, contentType } = await metrics.expose();
    response.writeHead(200, { "content-type": contentType }).end(body);
  } catch (error) {
    answer(response, 500, { error: messageOf(error) });
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
