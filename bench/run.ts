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
  /** What heartbeats feel of the checks. */
  "push-beside-checks": benchPushBesideChecks,
  "whole-way": benchWholeWay,
  api: benchApi,
  /** What 100,000 checks take of one controller. */
  controller: benchController.onSqlite,
  scheduling: benchScheduling,
  "controller-on-postgres": benchController.onPostgres,
  /** What a second process gives. */
  "two-apis": benchTwoApis,
  streams: benchStreams,
  /** What a rush of visitors of a status page gets. */
  "status-page": benchStatusPage,
  /** What checks and heartbeats feel of it. */
  "status-page-rush": benchStatusPageRush,
  /** What 10,000 checks cost a person who looks at them. */
  dashboard: benchDashboard,
  /** What files of checks cost to compare with an account, and to apply. */
  configuration: benchConfiguration,
  detection: benchDetection,
  /** What a person waits for each command. */
  commands: benchCommands,
  alerts: benchAlerts,
  retention: benchRetention,
  /** What a result takes on disk. */
  "stored-bytes": benchStoredBytes,
  /** What a start with 20,000 checks takes. */
  start: benchStart,
  /** What is due costs the same to find, however many alerts wait. */
  due: benchDue,
  /** What receivers that hang, and a slow mail server, do to the alerts of others. */
  starvation: benchStarvation,
  /** What one check costs in CPU and memory, against an exporter and against bare sockets. */
  probes: inNetworkNamespace("probe-rounds.ts"),
  /** What a PING costs by a socket, by the ping program, and at fping. */
  ping: inNetworkNamespace("ping/ping-rounds.ts"),
};
const given = process.argv.slice(2);
const wanted = given.filter((word) => !/^\d+$/.test(word));
const rounds = given.find((word) => /^\d+$/.test(word)) ?? "3";
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name))
    process.stdout.write(`${await bench(Number(rounds))}\n\n`);
}
