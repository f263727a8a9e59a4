import { icinga2 } from "./icinga2/icinga2.ts";
import { monit } from "./monit/monit.ts";
import type { Monitor } from "./monitor.ts";
import { nagios } from "./nagios/nagios.ts";
import { prometheus } from "./prometheus/prometheus.ts";
import { uptimeKuma } from "./uptime-kuma/uptime-kuma.ts";
import { watchpostOnPostgres, watchpostThreeLocations } from "./watchpost/distributed.ts";
import { watchpostSingle } from "./watchpost/watchpost.ts";
import { zabbix } from "./zabbix/zabbix.ts";

/** Every monitor that can be graded, in the order of the table. */
export const monitors: readonly Monitor[] = [
  watchpostSingle,
  watchpostThreeLocations,
  watchpostOnPostgres,
  monit,
  nagios,
  icinga2,
  prometheus,
  uptimeKuma,
  zabbix,
];
