import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { runParts } from "../foreground.ts";
import { versionOf } from "../install.ts";
import type { Monitor, MonitorWorld } from "../monitor.ts";
import { placeNotifyScript, readNotification } from "../notifications.ts";
import { pluginChoices, pluginCommand, pluginPackages, pluginSupports } from "../plugins.ts";
import { filled } from "../templates.ts";

/** Where Icinga says that it cannot check or notify. */
const STOPPED = /^.*critical\/(?:checker|Notification|Application|ThreadPool|Process).*$/m;

/** Constants that name the folders that Icinga writes to. */
const FOLDERS = ["DataDir", "LogDir", "CacheDir", "SpoolDir", "InitRunDir"];

export const icinga2: Monitor = {
  name: "icinga2",
  version: () => versionOf("icinga2-bin"),
  packages: ["icinga2-bin", "curl", ...pluginPackages],
  configuration: [
    "Each target is a service that changes to a hard state after max_check_attempts failed checks, at the interval of the run (icinga.com/docs/icinga-2/latest/doc/03-monitoring-basics, “Hosts and Services”).",
    "retry_interval is the interval of the run too, although Debian's template retries sooner (doc/09-object-types, “Service”).",
    "The features checker and notification are enabled, as in Debian (doc/04-configuration).",
    "A NotificationCommand posts each Problem and Recovery with curl (doc/03-monitoring-basics, “Notifications”).",
    "Flap detection is off, its default (doc/09-object-types, “Service”, enable_flapping).",
    ...pluginChoices,
  ],
  ways: ["webhook"],
  locations: 1,
  readsClockThroughLibc: true,
  supports: pluginSupports,
  async start(world) {
    await writeConfiguration(world);
    const { folder } = world;
    for (const name of FOLDERS) await mkdir(join(folder, name));
    // It gives up root.
    await promisify(execFile)("chown", ["-R", "nagios:nagios", folder]);
    const constants = FOLDERS.flatMap((name) => ["-D", `${name}=${join(folder, name)}`]);
    const command = ["icinga2", "daemon", "-c", join(folder, "icinga2.conf"), ...constants];
    return runParts(world, [{ name: "icinga2", command }], { stopped: STOPPED });
  },
  read: readNotification,
};

/** Writes the configuration into the folder of the world. */
export async function writeConfiguration(world: MonitorWorld): Promise<void> {
  const { folder, schedule, webhook, targets } = world;
  const notify = await placeNotifyScript(folder);
  const services = targets.map(({ id, probe }) => serviceOf(id, pluginCommand(probe, world)));
  const values = { ...schedule, notify, webhook, services: services.join("\n") };
  const text = await filled(join(import.meta.dirname, "icinga2.conf"), values);
  await writeFile(join(folder, "icinga2.conf"), text);
}

function serviceOf(id: string, command: readonly string[]): string {
  // A dollar begins a macro.
  const list = command.map((argument) => JSON.stringify(argument.replaceAll("$", "$$$$")));
  return `object CheckCommand "check-${id}" {
  command = [ ${list.join(", ")} ]
}

object Service "${id}" {
  import "target"
  check_command = "check-${id}"
}
`;
}
