import { benchAlerts } from "./alerts.ts";
import { benchApi } from "./api.ts";
import { benchCommands } from "./commands.ts";
import { benchConfiguration } from "./scale/configuration.ts";
import { benchController } from "./scale/controller.ts";
import { benchDashboard } from "./dashboard.ts";
import { benchDetection } from "./detection.ts";
import { benchDue } from "./due.ts";
import { inNetworkNamespace } from "./network-namespace.ts";
import { benchPush } from "./push.ts";
import { benchPushBesideChecks } from "./push-beside-checks.ts";
import { benchRetention } from "./retention.ts";
import { benchScheduling } from "./scale/scheduling.ts";
import { benchStarvation } from "./starvation.ts";
import { benchStatusPage } from "./status-pages/status-page.ts";
import { benchStatusPageRush } from "./status-pages/status-page-rush.ts";
import { benchStreams } from "./streams.ts";
import { benchStart } from "./start.ts";
import { benchStoredBytes } from "./stored-bytes.ts";
import { benchTwoApis } from "./scale/two-apis.ts";
import { benchWholeWay } from "./whole-way.ts";

const benches = {
  push: benchPush,
  /** Effect of checks on heartbeats. */
  "push-beside-checks": benchPushBesideChecks,
  "whole-way": benchWholeWay,
  api: benchApi,
  /** Cost of 100,000 checks for one controller. */
  controller: benchController.onSqlite,
  scheduling: benchScheduling,
  "controller-on-postgres": benchController.onPostgres,
  /** Benefit of a second process. */
  "two-apis": benchTwoApis,
  streams: benchStreams,
  /** Effect of a rush of visitors on a status page. */
  "status-page": benchStatusPage,
  /** Effect of the rush on checks and heartbeats. */
  "status-page-rush": benchStatusPageRush,
  /** Cost of 10,000 checks for a dashboard user. */
  dashboard: benchDashboard,
  /** Cost of comparing and applying configuration files. */
  configuration: benchConfiguration,
  detection: benchDetection,
  /** Duration of each command. */
  commands: benchCommands,
  alerts: benchAlerts,
  retention: benchRetention,
  /** Bytes of a result on disk. */
  "stored-bytes": benchStoredBytes,
  /** Cost of a start with 20,000 checks. */
  start: benchStart,
  /** Cost of finding due alerts, regardless of how many wait. */
  due: benchDue,
  /** Effect of hanging receivers and a slow mail server on other alerts. */
  starvation: benchStarvation,
  /** CPU and memory of one check, compared with an exporter and bare sockets. */
  probes: inNetworkNamespace("probe-rounds.ts"),
  /** Cost of a PING by socket, by the ping program, and by fping. */
  ping: inNetworkNamespace("ping/ping-rounds.ts"),
};
const given = process.argv.slice(2);
const wanted = given.filter((word) => !/^\d+$/.test(word));
const rounds = given.find((word) => /^\d+$/.test(word)) ?? "3";
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name))
    process.stdout.write(`${await bench(Number(rounds))}\n\n`);
}
