import type { FastifyInstance } from "fastify";

import type { Secret } from "../../kit/crypto/secret.ts";
import { assertMayReadMetrics, mayReadMetrics } from "../metrics-access.ts";
import type { OpenServiceProblem } from "../../domain/service-problem.ts";
import type { Metrics } from "../metrics.ts";

/** Health of a process, whatever its roles. */
export interface Health {
  readonly metrics: Pick<Metrics, "expose">;
  /** Token for reading the metrics from other machines. */
  readonly metricsToken: Secret | undefined;
  /** Reasons why this process is not ready; empty if it is. */
  readonly unready: () => readonly string[];
  /** Limitations of a process that is ready; empty if there are none. */
  readonly degraded?: () => readonly string[];
  /** Problems of the service, some of which do not affect readiness. */
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
