import { createEgress } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { createLocationHandlers } from "../location-handlers.ts";
import { serveMainThread } from "./serve-main-thread.ts";

serveMainThread(({ options, ...context }) =>
  createLocationHandlers({
    ...options,
    ...context,
    egress: createEgress({ mode: options.egress, resolver: createResolver() }),
  }),
);
