import type { FastifyInstance } from "fastify";

import type { ApiDeps } from "../../src/api/deps.ts";
import { createMetrics } from "../../src/server/metrics.ts";
import { createHttpServer } from "../../src/server/http-server.ts";
import { createPushHandler } from "../../src/heartbeats/handler.ts";
import type { Heartbeats } from "../../src/heartbeats/heartbeats.ts";
import type { LinkPages } from "../../src/web/link-page.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { createMinuteBudget } from "../../src/kit/http/minute-budget.ts";
import { createSubscriberLinks } from "../../src/channels/subscriber-links.ts";
import { createPublicPages } from "../../src/status-pages/public-pages.ts";
import { unlimited, unlimitedConnections } from "./unlimited.ts";

/** The whole server of the one address, ready and without limits. It accepts every heartbeat, unless others are given. */
export function httpServer({
  deps,
  linkPages = {},
  publicPerMinute = 0,
  attemptsPerMinute = 0,
  stoppedSince = () => undefined,
  heartbeats = {
    accept: async () => "accepted",
    isKnown: async () => true,
    prove: async () => {},
    sendersOfAlias: async () => [],
  },
}: {
  readonly deps: ApiDeps;
  readonly linkPages?: Readonly<Record<string, LinkPages>>;
  readonly publicPerMinute?: number;
  readonly attemptsPerMinute?: number;
  /** Since when the store commits nothing, on the monotonic clock. */
  readonly stoppedSince?: () => number | undefined;
  readonly heartbeats?: Pick<Heartbeats, "accept" | "isKnown" | "prove" | "sendersOfAlias">;
}): FastifyInstance {
  const sealer = createSealer(new Uint8Array(32));
  return createHttpServer({
    api: deps,
    push: createPushHandler({ ...deps, ...unlimited, heartbeats }),
    health: {
      metrics: createMetrics({
        scheduledChecks: () => 0,
        canCommit: () => true,
        isShort: () => false,
        oldestCommitMs: () => 0,
        probeThreads: () => 0,
      }),
      metricsToken: undefined,
      unready: () => [],
      problems: () => [],
    },
    connections: unlimitedConnections,
    linkPages,
    publicPages: createPublicPages({
      ...deps,
      stoppedSince,
      sessions: deps.sessions.admin,
      cookie: deps.sessions.cookie,
      url: deps.sessions.url,
      sealer,
      links: createSubscriberLinks({ ...deps, sealer, url: deps.sessions.url }),
      canSendMail: true,
      attempts: createMinuteBudget(attemptsPerMinute, deps.clock),
      requests: createMinuteBudget(publicPerMinute, deps.clock),
    }),
  });
}
