import type { ApiOfAccount } from "../../../test/e2e/process.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import type { MonitorWorld, Probe } from "../monitor.ts";

/** The type of check for a probe, and its parameters. */
export function checkFor(probe: Probe): Readonly<Record<string, unknown>> {
  switch (probe.kind) {
    case "tcp":
      return { type: "PORT", target: probe.host, port: probe.port };
    case "ping":
      return { type: "PING", target: probe.host };
    case "dns":
      return {
        type: "DNS",
        target: probe.server,
        port: probe.port,
        dnstype: probe.record,
        dnstoresolve: probe.name,
        ...(probe.expects !== undefined && { contentstring: probe.expects }),
      };
    case "smtp":
      return { type: "SMTP", target: probe.host, port: probe.port };
    case "tls":
      return {
        type: "SSL",
        target: probe.host,
        port: probe.port,
        ...(probe.warnDays !== undefined && { warningdays: probe.warnDays }),
      };
    default:
      return httpCheck(probe);
  }
}

function httpCheck(probe: Extract<Probe, { kind: "http" }>): Readonly<Record<string, unknown>> {
  const { url, status, contains, lacks } = probe;
  const shared = {
    target: url,
    verify: probe.verifyTls ?? true,
    follow: probe.followRedirects ?? true,
    ipv6: probe.family === 6,
  };
  if (status !== undefined) return { ...shared, type: "HTTPADV", statuscode: status };
  if (contains !== undefined) return { ...shared, type: "HTTPCONTENT", contentstring: contains };
  if (lacks === undefined) return { ...shared, type: "HTTP" };
  return { ...shared, type: "HTTPCONTENT", contentstring: lacks, invert: true };
}

/** Makes a contact with both receivers and a check for each target, and waits until each has run. */
export async function configure(site: ApiOfAccount, world: MonitorWorld): Promise<void> {
  const { schedule } = world;
  const contact = await site.api("POST contacts", {
    name: "Operations",
    custrole: "notify",
    newaddresses: [
      { type: "email", address: world.mailTo },
      { type: "webhook", address: world.webhook },
    ],
  });
  for (const { id, probe } of world.targets)
    await site.api("POST checks", {
      ...checkFor(probe),
      label: id,
      interval: schedule.intervalSeconds / 60,
      threshold: schedule.timeoutSeconds,
      sens: schedule.confirmations - 1,
      enabled: true,
      notifications: [{ [contact._id]: "All" }],
    });
  await waitFor("every check has run", async () => {
    const checks: Readonly<Record<string, { readonly state?: number }>> =
      await site.api("GET checks");
    return Object.values(checks).every(({ state }) => state !== undefined);
  });
}
