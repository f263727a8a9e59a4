import { hostname } from "node:os";

import manifest from "../../package.json" with { type: "json" };
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { OtlpTracer } from "../kit/tracing/otlp-tracer.ts";
import type { Config } from "../settings/config.ts";

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** Loads what sends traces where they are wanted, and only there. */
export async function openTracer(config: Config, deps: Deps): Promise<OtlpTracer | undefined> {
  const { WATCHPOST_OTLP_URL: url, WATCHPOST_OTLP_HEADERS: headers } = config;
  if (url === undefined) return undefined;
  const { createOtlpTracer } = await import("../kit/tracing/otlp-tracer.ts");
  return createOtlpTracer({
    ...deps,
    url: url.endsWith("/v1/traces") ? url : `${url}/v1/traces`,
    headers,
    sampleRatio: config.WATCHPOST_OTLP_SAMPLE_RATIO,
    resource: {
      "service.name": "watchpost",
      "service.version": manifest.version,
      "service.instance.id": `${hostname()}-${process.pid}`,
      "watchpost.roles": config.WATCHPOST_ROLES.join(","),
    },
  });
}
