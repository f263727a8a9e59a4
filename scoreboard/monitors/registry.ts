import { prometheus } from "./prometheus/prometheus.ts";
import { monit } from "./monit/monit.ts";
import type { Monitor } from "./monitor.ts";

/** Every monitor that can be graded, in the order of the table. */
export const monitors: readonly Monitor[] = [monit, prometheus];
