import type { MonitorWorld, Probe } from "./monitor.ts";
import { literalPattern } from "./templates.ts";

/** Debian packages of the plugins, and of what these run. */
export const pluginPackages = [
  "monitoring-plugins-basic",
  "monitoring-plugins-standard",
  "bind9-dnsutils",
  "iputils-ping",
  "liburiparser1",
];

/** The choices below, in sentences for a report. */
export const pluginChoices = [
  "check_http checks pages, and check_curl -D those on HTTPS, because check_http verifies no certificate (check_http --help, “Notes”).",
  "check_tcp -D checks how long a certificate is valid; it does not verify who issued it (check_tcp --help).",
  "check_dig asks the name server for a record, because check_dns takes no port (check_dns --help).",
  "check_ping has the thresholds of check-host-alive: it fails where no packet returns (Debian's /etc/nagios-plugins/config/ping.cfg).",
];

const FOLDER = "/usr/lib/nagios/plugins";

/** The command of https://www.monitoring-plugins.org/doc/man/ that checks a target. */
export function pluginCommand(
  probe: Probe,
  { schedule, authority }: Pick<MonitorWorld, "schedule" | "authority">,
): readonly string[] {
  const [plugin, ...options] = pluginOf(probe, authority);
  return [`${FOLDER}/${plugin}`, ...options, "-t", String(schedule.timeoutSeconds)];
}

function pluginOf(probe: Probe, authority: string): readonly string[] {
  switch (probe.kind) {
    case "http":
      return httpPlugin(probe, authority);
    case "ping":
      return ["check_ping", "-H", probe.host, "-w", "3000,80%", "-c", "5000,100%", "-p", "5"];
    case "tcp":
      return ["check_tcp", "-H", probe.host, "-p", String(probe.port)];
    case "smtp":
      return ["check_smtp", "-H", probe.host, "-p", String(probe.port)];
    case "tls": {
      const days = String(probe.warnDays ?? 0);
      const name = `--sni=${probe.host}`;
      return ["check_tcp", "-H", probe.host, "-p", String(probe.port), "-S", name, "-D", days];
    }
    default: {
      const expects = probe.expects === undefined ? [] : ["-a", probe.expects];
      const server = ["-H", probe.server, "-p", String(probe.port)];
      return ["check_dig", ...server, "-l", probe.name, "-T", probe.record, ...expects];
    }
  }
}

function httpPlugin(
  probe: Extract<Probe, { readonly kind: "http" }>,
  authority: string,
): readonly string[] {
  const url = new URL(probe.url);
  const isTls = url.protocol === "https:";
  const isVerified = isTls && probe.verifyTls !== false;
  return [
    isVerified ? "check_curl" : "check_http",
    "-H",
    url.hostname.replaceAll(/[[\]]/g, ""),
    "-p",
    url.port === "" ? (isTls ? "443" : "80") : url.port,
    "-u",
    `${url.pathname}${url.search}`,
    ...(isTls ? ["-S", "--sni"] : []),
    ...(isVerified ? ["-D", "--ca-cert", authority] : []),
    ...statusOptions(probe),
    ...(probe.contains === undefined ? [] : ["-s", probe.contains]),
    ...(probe.lacks === undefined ? [] : ["-r", literalPattern(probe.lacks), "--invert-regex"]),
    ...(probe.family === undefined ? [] : [`-${probe.family}`]),
  ];
}

/** An expected status line turns off both redirects and the plugin's own judgement of a status. */
function statusOptions({
  status,
  followRedirects = true,
}: Extract<Probe, { readonly kind: "http" }>): readonly string[] {
  const isSuccess = status === undefined || (status >= 200 && status < 300);
  if (followRedirects && isSuccess) return ["-f", "follow"];
  return status === undefined ? ["-f", "critical"] : ["-e", ` ${status}`];
}

/** Returns whether the plugins support a probe: they cannot expect a status other than success after redirects. */
export function pluginSupports(probe: Probe): boolean {
  if (probe.kind !== "http" || probe.followRedirects !== true) return true;
  return probe.status === undefined || (probe.status >= 200 && probe.status < 300);
}
