import type { MonitorWorld, Probe, Target } from "../monitor.ts";
import { literalPattern } from "../templates.ts";

/** Returns the exporter's parameter `target`. */
export function addressOf(probe: Probe): string {
  switch (probe.kind) {
    case "http":
      return probe.url;
    case "ping":
      return probe.host;
    case "dns":
      return hostAndPort(probe.server, probe.port);
    default:
      return hostAndPort(probe.host, probe.port);
  }
}

export function hostAndPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * The module of a target, as https://github.com/prometheus/blackbox_exporter/blob/v0.23.0/CONFIGURATION.md describes it. IPv4 is
 * preferred, as in its example.yml, because the default is an IPv6 address wherever a name has one, reachable or not.
 */
export function moduleOf(
  { probe }: Target,
  { schedule, authority }: Pick<MonitorWorld, "schedule" | "authority">,
): object {
  const shared = { timeout: `${schedule.timeoutSeconds}s` };
  const family = { preferred_ip_protocol: "ip4" };
  const tls_config = { ca_file: authority };
  switch (probe.kind) {
    case "http":
      return { ...shared, prober: "http", http: httpOf(probe, authority) };
    case "ping":
      return { ...shared, prober: "icmp", icmp: family };
    case "tcp":
      return { ...shared, prober: "tcp", tcp: family };
    case "tls":
      return { ...shared, prober: "tcp", tcp: { ...family, tls: true, tls_config } };
    case "smtp":
      return { ...shared, prober: "tcp", tcp: { ...family, query_response: SMTP_DIALOG } };
    default:
      return { ...shared, prober: "dns", dns: { ...family, ...dnsOf(probe) } };
  }
}

/** As the module smtp_starttls of example.yml, without STARTTLS. */
const SMTP_DIALOG = [
  { expect: "^220 " },
  { send: "EHLO prober\r" },
  { expect: "^250[ -]" },
  { send: "QUIT\r" },
];

function httpOf(probe: Extract<Probe, { readonly kind: "http" }>, authority: string): object {
  const { status, contains, lacks, verifyTls, followRedirects, family } = probe;
  return {
    ...(family === undefined
      ? { preferred_ip_protocol: "ip4" }
      : { preferred_ip_protocol: `ip${family}`, ip_protocol_fallback: false }),
    ...(status === undefined ? {} : { valid_status_codes: [status] }),
    ...(contains === undefined
      ? {}
      : { fail_if_body_not_matches_regexp: [literalPattern(contains)] }),
    ...(lacks === undefined ? {} : { fail_if_body_matches_regexp: [literalPattern(lacks)] }),
    follow_redirects: followRedirects ?? true,
    tls_config: { ca_file: authority, insecure_skip_verify: verifyTls === false },
  };
}

function dnsOf({
  name,
  record,
  expects,
}: Extract<Probe, { readonly kind: "dns" }>): Readonly<Record<string, unknown>> {
  const value = expects === undefined ? "" : `${literalPattern(expects)}$`;
  return {
    query_name: name,
    query_type: record,
    // A record as the exporter writes it: name, time to live, class, type, and value, with tabs between them.
    validate_answer_rrs: { fail_if_none_matches_regexp: [`\t${record}\t${value}`] },
  };
}
