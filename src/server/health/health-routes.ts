import type { FastifyInstance } from "fastify";

import type { Secret } from "../../kit/crypto/secret.ts";
import { assertMayReadMetrics, mayReadMetrics } from "../metrics-access.ts";
import type { OpenServiceProblem } from "../../domain/service-problem.ts";
import type { Metrics } from "../metrics.ts";

/** What a process says of itself, whatever its roles. */
export interface Health {
  readonly metrics: Pick<Metrics, "expose">;
  /** What the metrics are read with from other machines. */
  readonly metricsToken: Secret | undefined;
  /** Why this process is not ready; empty where it is. */
  readonly unready: () => readonly string[];
  /** What it cannot do although it is ready; empty where there is nothing. */
  readonly degraded?: () => readonly string[];
  /** What is wrong with the service; there may be problems with which it is ready. */
  readonly problems: () => readonly OpenServiceProblem[];
}

export function addHealthRoutes(
  server: FastifyInstance,
  { metrics, metricsToken, unready, degraded, problems }: Health,
): void {
  server.get("/healthz", () => ({ ok: true }));
  server.get("/readyz", ({ raw }, reply) => {
    const reasons = unready();
    const troubles = degraded?.() ?? [];
    return reply.status(reasons.length === 0 ? 200 : 503).send({
      ready: reasons.length === 0,
      reasons,
      ...(troubles.length > 0 && { degraded: troubles }),
      ...(mayReadMetrics(raw, metricsToken) && { problems: problems() }),
    });
  });
  server.get("/metrics", async ({ raw }, reply) => {
    assertMayReadMetrics(raw, metricsToken);
    const { body, contentType } = await metrics.expose();
    return reply.header("content-type", contentType).send(body);
  });
}
