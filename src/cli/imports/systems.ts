import type { ImportSystem } from "./imported.ts";
import { betterStack } from "./systems/better-stack.ts";
import { blackboxExporter } from "./systems/blackbox-exporter/blackbox-exporter.ts";
import { gatus } from "./systems/gatus/gatus.ts";
import { healthchecks } from "./systems/healthchecks.ts";
import { nodePing } from "./systems/nodeping/nodeping.ts";
import { pingdom } from "./systems/pingdom.ts";
import { statusCake } from "./systems/statuscake.ts";
import { uptimeKuma } from "./systems/uptime-kuma/uptime-kuma.ts";
import { uptimeRobot } from "./systems/uptimerobot.ts";

/** In the order in which help lists them; a system is a file in `systems/`, a test, and a line here. */
export const importSystems: readonly ImportSystem[] = [
  uptimeKuma,
  healthchecks,
  gatus,
  blackboxExporter,
  uptimeRobot,
  pingdom,
  betterStack,
  statusCake,
  nodePing,
];
