import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { runParts } from "../foreground.ts";
import { versionOf } from "../install.ts";
import type { Monitor, MonitorWorld } from "../monitor.ts";
import { placeNotifyScript, readNotification } from "../notifications.ts";
import { pluginChoices, pluginCommand, pluginPackages, pluginSupports } from "../plugins.ts";
import { filled } from "../templates.ts";

/** Where Nagios says that it cannot check or notify. */
const STOPPED =
  /^.*(?:Notifications are disabled|Error: Unable to (?:fork|create)|Bailing out).*$/im;

export const nagios: Monitor = {
  name: "nagios",
  version: () => versionOf("nagios4-core"),
  packages: ["nagios4-core", "curl", ...pluginPackages],
  configuration: [
    "Each target is a service that becomes critical after max_check_attempts failed checks, at the interval of the run (objectdefinitions.html, “Service Definition”).",
    "retry_interval is the interval of the run too, although Debian's template retries sooner (objectdefinitions.html).",
    "Checks are spread over the interval by the smart methods of Debian's nagios.cfg (checkscheduling.html).",
    "A command posts each PROBLEM and RECOVERY with curl (notifications.html).",
    "Flap detection is off, in favor of Nagios: it would suppress alarms of a target with several outages in a run (flapping.html).",
    ...pluginChoices,
  ],
  ways: ["webhook"],
  locations: 1,
  readsClockThroughLibc: true,
  supports: pluginSupports,
  async start(world) {
    await writeConfiguration(world);
    // It gives up root.
    await promisify(execFile)("chown", ["-R", "nagios:nagios", world.folder]);
    const command = ["nagios4", join(world.folder, "nagios.cfg")];
    return runParts(world, [{ name: "nagios", command }], {
      stopped: STOPPED,
      file: join(world.folder, "nagios.log"),
    });
  },
  read: readNotification,
};

/** Writes the configuration into the folder of the world. */
export async function writeConfiguration(world: MonitorWorld): Promise<void> {
  const { folder, schedule, webhook, targets } = world;
  const notify = await placeNotifyScript(folder);
  const services = targets.map(({ id, probe }) => serviceOf(id, pluginCommand(probe, world)));
  const values = { ...schedule, folder, notify, webhook, services: services.join("\n") };
  for (const file of ["nagios.cfg", "objects.cfg"])
    await writeFile(join(folder, file), await filled(join(import.meta.dirname, file), values));
}

function serviceOf(id: string, command: readonly string[]): string {
  return `define command {
    command_name  check-${id}
    command_line  ${command.map(quoted).join(" ")}
}

define service {
    use                  target
    service_description  ${id}
    check_command        check-${id}
}
`;
}

/** An argument for the shell, in a file where a dollar begins a macro and a semicolon a comment. */
function quoted(argument: string): string {
  const isPlain = /^[\w%,./:=@-]+$/.test(argument);
  const word = isPlain ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
  return word.replaceAll("$", "$$$$").replaceAll(";", String.raw`\;`);
}
