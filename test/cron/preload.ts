import { registerHooks } from "node:module";

/** Clock source of every role; disks and threads use the real clock. */
const OPENS_TIME = new URL("../../src/server/open-store.ts", import.meta.url).href;
const MOVED_CLOCK = new URL("moved-clock.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (context.parentURL === OPENS_TIME && specifier.endsWith("/kit/clock.ts"))
      return next(MOVED_CLOCK, context);
    return next(specifier, context);
  },
});
