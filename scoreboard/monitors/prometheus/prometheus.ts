import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { z } from "zod";

import { runParts, UNIT_RESTART_SECONDS } from "../foreground.ts";
import { versionOf } from "../install.ts";
import type { Monitor, MonitorWorld, Reading, Received, Target } from "../monitor.ts";
import { mailText } from "../notifications.ts";
import { filled } from "../templates.ts";
import { addressOf, hostAndPort, moduleOf } from "./blackbox.ts";

/** Where Prometheus says that it loses alerts. */
const STOPPED = /^.*(?:Alert notification queue full|Evaluating rule failed).*$/m;

export const prometheus: Monitor = {
  name: "prometheus",
  async version() {
    const names = ["prometheus", "prometheus-blackbox-exporter", "prometheus-alertmanager"];
    return (await Promise.all(names.map(versionOf))).join(", ");
  },
  packages: ["prometheus", "prometheus-blackbox-exporter", "prometheus-alertmanager"],
  configuration: [
    "The blackbox exporter probes each target once per scrape, with a module of its own (github.com/prometheus/blackbox_exporter, “Prometheus Configuration” and CONFIGURATION.md).",
    "Rules are evaluated as often as targets are scraped, and “for” requires consecutive failures (prometheus.io/docs/prometheus/2.42/configuration/alerting_rules).",
    "Expiring certificates alert by probe_ssl_earliest_cert_expiry (CONFIGURATION.md of the exporter).",
    "Alerts are grouped by target, with a group_wait of 0 s, and a group_interval of one interval instead of 5 minutes, in favor of Prometheus (prometheus.io/docs/alerting/0.25/configuration/#route).",
    "The descriptions of alerts say what the exporter knows of the failure (prometheus.io/docs/prometheus/2.42/configuration/template_reference).",
    "Recoveries are mailed too, which is off by default (prometheus.io/docs/alerting/0.25/configuration/#email_config).",
    "A process that ends is started again, as Debian's prometheus.service and the two others ask.",
  ],
  ways: ["webhook", "mail"],
  locations: 1,
  readsClockThroughLibc: false,
  supports: () => true,
  async start(world) {
    await writeConfiguration(world);
    const { folder } = world;
    const { server, exporter, alertmanager } = listenersOf(world);
    const data = join(folder, "data");
    await mkdir(data);
    return runParts(
      world,
      [
        {
          name: "alertmanager",
          restartSeconds: UNIT_RESTART_SECONDS,
          command: [
            "prometheus-alertmanager",
            `--config.file=${join(folder, "alertmanager.yml")}`,
            `--storage.path=${join(data, "alertmanager")}`,
            `--web.listen-address=${alertmanager}`,
            "--cluster.listen-address=",
          ],
        },
        {
          name: "blackbox exporter",
          restartSeconds: UNIT_RESTART_SECONDS,
          command: [
            "prometheus-blackbox-exporter",
            `--config.file=${join(folder, "blackbox.yml")}`,
            `--web.listen-address=${exporter}`,
          ],
        },
        {
          name: "prometheus",
          restartSeconds: UNIT_RESTART_SECONDS,
          command: [
            "prometheus",
            `--config.file=${join(folder, "prometheus.yml")}`,
            `--storage.tsdb.path=${join(data, "prometheus")}`,
            `--web.listen-address=${server}`,
          ],
        },
      ],
      { stopped: STOPPED },
    );
  },
  read: (received) => (received.way === "webhook" ? readWebhook(received) : readMail(received)),
};

function listenersOf({ listen: { address, firstPort } }: Pick<MonitorWorld, "listen">): {
  readonly server: string;
  readonly exporter: string;
  readonly alertmanager: string;
} {
  return {
    server: hostAndPort(address, firstPort),
    exporter: hostAndPort(address, firstPort + 1),
    alertmanager: hostAndPort(address, firstPort + 2),
  };
}

/** Writes the configuration into the folder of the world; where values are made here, they are JSON, which is YAML. */
export async function writeConfiguration(world: MonitorWorld): Promise<void> {
  const { folder, schedule, targets, smtp, mailTo, webhook } = world;
  const { intervalSeconds, timeoutSeconds, confirmations } = schedule;
  const values = {
    ...listenersOf(world),
    intervalSeconds,
    scrapeTimeoutSeconds: Math.min(intervalSeconds, timeoutSeconds + 1),
    pendingSeconds: intervalSeconds * (confirmations - 1),
    targets: JSON.stringify(
      targets.map(({ id, probe }) => ({
        targets: [addressOf(probe)],
        labels: { target: id, __param_module: id },
      })),
    ),
    expiries: targets.flatMap(expiryRule).join("\n"),
    smtpHost: smtp.host,
    smtpPort: smtp.port,
    mailTo,
    webhook,
  };
  for (const file of ["prometheus.yml", "rules.yml", "alertmanager.yml"])
    await writeFile(
      join(folder, file),
      await filled(join(import.meta.dirname, `${file}.template`), values),
    );
  const modules = Object.fromEntries(targets.map((target) => [target.id, moduleOf(target, world)]));
  await writeFile(join(folder, "blackbox.yml"), JSON.stringify({ modules }, null, 2));
}

/** The alert before a certificate expires, where the target asks for it. */
function expiryRule({ id, probe }: Target): readonly string[] {
  if (probe.kind !== "tls" || probe.warnDays === undefined) return [];
  const rule = {
    alert: "CertificateExpiresSoon",
    expr: `probe_ssl_earliest_cert_expiry{target="${id}"} - time() < ${probe.warnDays * 86_400}`,
    annotations: {
      description:
        "The certificate of {{ $labels.instance }} expires in {{ $value | humanizeDuration }}.",
    },
  };
  return [`      - ${JSON.stringify(rule)}`];
}

/** https://prometheus.io/docs/alerting/0.25/configuration/#webhook_config, in parts. */
const message = z.object({
  status: z.enum(["firing", "resolved"]),
  groupLabels: z.object({ target: z.string() }),
  alerts: z.array(
    z.object({
      status: z.enum(["firing", "resolved"]),
      annotations: z.object({ description: z.string() }),
    }),
  ),
});

function readWebhook({ body }: Received): readonly Reading[] {
  const { success, data } = z.preprocess((text) => parsed(String(text)), message).safeParse(body);
  if (!success) return [];
  const { status, groupLabels, alerts } = data;
  const reasons = alerts
    .filter((alert) => alert.status === status)
    .map(({ annotations }) => annotations.description);
  const state = status === "firing" ? "down" : "up";
  return [{ target: groupLabels.target, state, reason: oneLine(reasons.join(" ")) }];
}

/** Without the spaces that the template leaves where it says nothing. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The default subject: the status, then the labels of the group. */
const SUBJECT = /^\[(FIRING:\d+|RESOLVED)\] (\S+)/;

function readMail(received: Received): readonly Reading[] {
  const [, status, target] = SUBJECT.exec(received.headers["subject"] ?? "") ?? [];
  if (status === undefined || target === undefined) return [];
  const text = mailText({
    ...received,
    headers: { ...received.headers, "content-transfer-encoding": "quoted-printable" },
  });
  const [, reason = ""] = /description = ([^<]*)/.exec(text) ?? [];
  return [{ target, state: status === "RESOLVED" ? "up" : "down", reason: oneLine(reason) }];
}
