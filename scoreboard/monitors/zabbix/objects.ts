import type { MonitorWorld, Probe, Target } from "../monitor.ts";
import { literalPattern } from "../templates.ts";

/** The host that all targets belong to. */
export const HOST = "targets";

/** Calls of the API that a target needs; where the host and its interface are known, those are added. */
export interface ZabbixTarget {
  readonly webScenario?: object;
  readonly item?: object;
  readonly trigger: object;
}

/** https://www.zabbix.com/documentation/6.0/en/manual/web_monitoring and …/config/items/itemtypes/simple_checks. */
export function objectsOf({ id, probe }: Target, schedule: MonitorWorld["schedule"]): ZabbixTarget {
  const { confirmations } = schedule;
  const delay = `${schedule.intervalSeconds}s`;
  const shared = {
    priority: 4,
    tags: [{ tag: "target", value: id }],
  };
  if (probe.kind === "http") {
    const failed = `min(/${HOST}/web.test.fail[${id}],#${confirmations})>0`;
    // The second item only gives its value to the message.
    const says = `length(last(/${HOST}/web.test.error[${id}]))>=0`;
    return {
      webScenario: { name: id, delay, ...scenarioOf(probe, schedule) },
      trigger: {
        ...shared,
        description: `${id}: the page fails`,
        expression: `${failed} and ${says}`,
        opdata: "{ITEM.LASTVALUE2}",
      },
    };
  }
  const key = keyOf(probe);
  return {
    // A simple check that is 1 or 0.
    item: { name: id, key_: key, type: 3, value_type: 3, delay },
    trigger: {
      ...shared,
      description: `${id}: no answer`,
      expression: `max(/${HOST}/${key},#${confirmations})=0`,
      opdata: `${key}: {ITEM.LASTVALUE1}`,
    },
  };
}

function scenarioOf(
  probe: Extract<Probe, { readonly kind: "http" }>,
  schedule: MonitorWorld["schedule"],
): object {
  const { url, status, contains, lacks, verifyTls, followRedirects } = probe;
  const isVerified = verifyTls === false ? 0 : 1;
  // A pattern that matches from the start where the text is nowhere.
  const without = lacks === undefined ? "" : `\\A(?![\\s\\S]*${literalPattern(lacks)})`;
  return {
    verify_peer: isVerified,
    verify_host: isVerified,
    steps: [
      {
        name: "page",
        no: 1,
        url,
        timeout: `${schedule.timeoutSeconds}s`,
        status_codes: String(status ?? "200-299"),
        follow_redirects: followRedirects === false ? 0 : 1,
        required: contains === undefined ? without : literalPattern(contains),
      },
    ],
  };
}

function keyOf(probe: Exclude<Probe, { readonly kind: "http" }>): string {
  switch (probe.kind) {
    case "ping":
      return `icmpping[${probe.host}]`;
    case "tcp":
      return `net.tcp.service[tcp,${probe.host},${probe.port}]`;
    case "smtp":
      return `net.tcp.service[smtp,${probe.host},${probe.port}]`;
    default:
      throw new Error(`the Zabbix server has no check for ${probe.kind}`);
  }
}

/** Without an agent the server checks neither records nor certificates; a step requires one text, and chooses no address family. */
export function supports(probe: Probe): boolean {
  if (probe.kind === "http")
    return (
      probe.family === undefined && (probe.contains === undefined || probe.lacks === undefined)
    );
  return probe.kind !== "dns" && probe.kind !== "tls";
}
