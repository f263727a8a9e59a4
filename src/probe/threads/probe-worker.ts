import { createEgress } from "../../kit/net/egress.ts";
import { createOwnListener } from "../../kit/net/own-listener.ts";
import { checksOfItself } from "../../kit/net/own-policy.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { createLocationHandlers } from "../location-handlers.ts";
import { createTargetMemory } from "../target-memory.ts";
import { serveMainThread } from "./serve-main-thread.ts";

serveMainThread(({ options, ...context }) =>
  createLocationHandlers({
    ...options,
    ...context,
    memory: createTargetMemory(context.clock, options.targetBytes),
    egress: createEgress({
      mode: options.egress,
      resolver: createResolver(),
      own: checksOfItself(createOwnListener(options.ownPort)),
    }),
  }),
);
