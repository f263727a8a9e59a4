import { createEgress } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { createLocationHandlers } from "../location-handlers.ts";
import { serveMainThread } from "./serve-main-thread.ts";
import { createTurns, inTurn } from "./turns.ts";

serveMainThread(({ options, ...context }) => {
  const handlers = createLocationHandlers({
    ...options,
    ...context,
    egress: createEgress({ mode: options.egress, resolver: createResolver() }),
  });
  const turns = createTurns();
  return new Map([...handlers].map(([code, each]) => [code, inTurn(each, turns, context.clock)]));
});
