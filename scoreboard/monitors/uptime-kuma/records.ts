import type { MonitorWorld, Probe, Target } from "../monitor.ts";

/** Records as the dashboard would send them. */
export interface UptimeKumaRecords {
  readonly notifications: readonly object[];
  readonly monitors: readonly object[];
}

/** The notifications and monitors of a world; fields that are not of a target are as the form for a new monitor has them. */
export function recordsOf(
  world: Pick<MonitorWorld, "targets" | "schedule" | "webhook" | "smtp" | "mailTo">,
): UptimeKumaRecords {
  const { targets, schedule, webhook, smtp, mailTo } = world;
  const shared = {
    interval: schedule.intervalSeconds,
    retryInterval: schedule.intervalSeconds,
    // Checks after the first failure; the alarm comes with the last of them.
    maxretries: schedule.confirmations - 1,
    resendInterval: 0,
    timeout: schedule.timeoutSeconds,
    method: "GET",
    httpBodyEncoding: "json",
    expiryNotification: true,
    upsideDown: false,
    packetSize: 56,
    maxredirects: 10,
    accepted_statuscodes: ["200-299"],
    dns_resolve_type: "A",
    dns_resolve_server: "1.1.1.1",
    kafkaProducerBrokers: [],
    kafkaProducerSaslOptions: { mechanism: "None" },
  };
  const name = { isDefault: false, applyExisting: false };
  return {
    notifications: [
      {
        ...name,
        name: "Webhook",
        type: "webhook",
        webhookURL: webhook,
        webhookContentType: "json",
      },
      {
        ...name,
        name: "Mail",
        type: "smtp",
        smtpHost: smtp.host,
        smtpPort: smtp.port,
        smtpSecure: false,
        smtpFrom: "uptime-kuma@receiver.test",
        smtpTo: mailTo,
      },
    ],
    monitors: targets.map(({ id, probe }: Target) => ({ ...shared, name: id, ...fieldsOf(probe) })),
  };
}

function fieldsOf(probe: Probe): object {
  switch (probe.kind) {
    case "http":
      return httpFields(probe);
    case "tcp":
      return { type: "port", hostname: probe.host, port: probe.port };
    case "ping":
      return { type: "ping", hostname: probe.host };
    case "dns":
      return {
        type: "dns",
        hostname: probe.name,
        dns_resolve_server: probe.server,
        port: probe.port,
        dns_resolve_type: probe.record,
      };
    default:
      throw new Error(`Uptime Kuma has no monitor for ${probe.kind}`);
  }
}

function httpFields(probe: Extract<Probe, { readonly kind: "http" }>): object {
  const { url, status, contains, lacks, verifyTls, followRedirects } = probe;
  const keyword = contains ?? lacks;
  return {
    url,
    ...(keyword === undefined
      ? { type: "http" }
      : { type: "keyword", keyword, invertKeyword: contains === undefined }),
    ...(status === undefined ? {} : { accepted_statuscodes: [String(status)] }),
    ignoreTls: verifyTls === false,
    ...(followRedirects === false ? { maxredirects: 0 } : {}),
  };
}

/** It has one keyword for a page, chooses no address family, compares no record, and has no monitor for mail or TLS alone. */
export function supports(probe: Probe): boolean {
  switch (probe.kind) {
    case "http":
      return (
        probe.family === undefined && (probe.contains === undefined || probe.lacks === undefined)
      );
    case "dns":
      return probe.expects === undefined;
    default:
      return probe.kind === "tcp" || probe.kind === "ping";
  }
}
