import type { HostLimits } from "../../kit/concurrency/host-limiter.ts";
import type { Config } from "../../settings/config.ts";

export function hostLimitsIn(config: Config): HostLimits {
  return {
    maxRunsAtOnce: config.WATCHPOST_HOST_RUNS,
    maxStartsPerSecond: config.WATCHPOST_HOST_RATE,
  };
}
