import { createConnectionLimits } from "../../src/server/connections/connection-limits.ts";
import { createAdmission } from "../../src/kit/http/admission.ts";
import { clientKey } from "../../src/kit/http/client-address.ts";
import { createReceiveGaps } from "../../src/kit/http/receive-gaps.ts";
import { createMinuteBudget } from "../../src/kit/http/minute-budget.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { noMeter } from "../../src/kit/meter.ts";

/** For tests of what clients may send, not how often. */
export const unlimited = {
  admission: createAdmission({ clock: systemClock, trustedProxies: [], unknownPerMinute: 0 }),
  limitHeartbeats: createMinuteBudget(0, systemClock),
  receiveGaps: createReceiveGaps(systemClock),
};

export const unlimitedConnections = createConnectionLimits({
  most: Infinity,
  maxPerClient: 0,
  peerOf: clientKey,
  shedding: { refuses: () => false, answers: () => false, served() {} },
  receiveGaps: unlimited.receiveGaps,
  clock: systemClock,
  meter: noMeter,
});
