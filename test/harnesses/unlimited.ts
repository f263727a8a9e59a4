import { createConnectionLimits } from "../../src/app/connections/connection-limits.ts";
import { createAdmission } from "../../src/kit/http/admission.ts";
import { createMinuteBudget } from "../../src/kit/http/minute-budget.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { noMeter } from "../../src/kit/meter.ts";

/** For tests of what clients may send, not how often. */
export const unlimited = {
  admission: createAdmission({ clock: systemClock, trustedProxies: [], unknownPerMinute: 0 }),
  limitHeartbeats: createMinuteBudget(0, systemClock),
};

export const unlimitedConnections = createConnectionLimits({
  most: Infinity,
  mostOfClient: 0,
  isProxy: () => false,
  clock: systemClock,
  meter: noMeter,
});
