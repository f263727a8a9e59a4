import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { MonitorWorld, Probe, Target } from "./monitor.ts";

/** One target for each kind of probe, as tests of generated configurations expect them. */
export const sampleProbes = {
  page: {
    kind: "http",
    url: "http://site.test:8080/a?b=c",
    status: 200,
    contains: "all is (well)",
  },
  lacking: { kind: "http", url: "http://site.test/", lacks: "error", family: 6 },
  moved: { kind: "http", url: "http://site.test/old", followRedirects: true },
  "stays-put": { kind: "http", url: "http://site.test/old", followRedirects: false, status: 301 },
  secure: { kind: "http", url: "https://site.test/" },
  trusting: { kind: "http", url: "https://site.test/", verifyTls: false },
  port: { kind: "tcp", host: "10.0.0.1", port: 22 },
  host: { kind: "ping", host: "10.0.0.2" },
  record: {
    kind: "dns",
    server: "10.0.0.3",
    port: 5353,
    name: "record.test",
    record: "A",
    expects: "192.0.2.1",
  },
  mail: { kind: "smtp", host: "10.0.0.4", port: 25 },
  certificate: { kind: "tls", host: "site.test", port: 993, warnDays: 14 },
} as const satisfies Readonly<Record<string, Probe>>;

export const sampleTargets: readonly Target[] = Object.entries(sampleProbes).map(([id, probe]) => ({
  id,
  probe,
}));

/** A machine on which nothing runs, with a temporary folder. */
export async function sampleWorld(
  supports: (probe: Probe) => boolean,
): Promise<MonitorWorld & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "monitor-"));
  return {
    folder,
    enter: [],
    otherLocations: [],
    targets: sampleTargets.filter(({ probe }) => supports(probe)),
    schedule: { intervalSeconds: 30, timeoutSeconds: 5, confirmations: 3 },
    webhook: "http://192.0.2.8:9000/hook",
    smtp: { host: "192.0.2.8", port: 2525 },
    mailTo: "oncall@receiver.test",
    resolver: "192.0.2.53",
    authority: "/etc/authority.pem",
    listen: { address: "192.0.2.7", firstPort: 20_000 },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
