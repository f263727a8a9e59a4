import { createEgress } from "../../kit/net/egress.ts";
import { createOwnListener } from "../../kit/net/own-listener.ts";
import { checksOfItself } from "../../kit/net/own-policy.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { createLocationHandlers } from "../location-handlers.ts";
import { createTargetMemory } from "../target-memory.ts";
import { serveMainThread } from "./serve-main-thread.ts";
import { createStartLimiter, limitStarts } from "./start-limiter.ts";

serveMainThread(({ options, ...context }) => {
  const memory = createTargetMemory(context.clock, options.targetBytes);
  const handlers = createLocationHandlers({
    ...options,
    ...context,
    memory,
    egress: createEgress({
      mode: options.egress,
      resolver: createResolver(),
      own: checksOfItself(createOwnListener(options.ownPort)),
    }),
  });
  const starts = createStartLimiter(context.clock, (accountId) => !memory.isCrowded(accountId));
  return new Map(
    [...handlers].map(([code, each]) => [code, limitStarts(each, starts, context.clock)]),
  );
});
