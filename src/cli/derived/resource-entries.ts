import { resources } from "../catalogue/catalogue.ts";
import { groupOf, placements } from "./placement.ts";
import type { AddCommand, Entry } from "./entry.ts";

/** Commands that combine operations or show more than a table. In a group, they come before its operations. */
const ownCommands: Readonly<Record<string, () => Promise<readonly AddCommand[]>>> = {
  async check() {
    const switches = await import("../commands/check/switch.ts");
    return [
      (await import("../commands/check/add.ts")).addCheckAdd,
      (await import("../commands/check/show.ts")).addCheckShow,
      (await import("../commands/check/acknowledge.ts")).addCheckAcknowledge,
      (await import("../commands/check/alerts.ts")).addCheckAlerts,
      ...switches.addCheckSwitches,
      switches.addCheckMute,
      ...switches.addAllSwitches,
    ];
  },
  contact: async () => [
    (await import("../commands/contact-list.ts")).addContactList,
    (await import("../commands/contact-test.ts")).addContactTest,
  ],
  location: async () => [(await import("../commands/location-create.ts")).addLocationCreate],
};

/** A group for each resource of the API. */
export function resourceEntries(): readonly Entry[] {
  const groups = Map.groupBy(placements(), ({ group }) => group);
  return [...groups].map(([name, placed]) => ({
    name,
    description: `${descriptionOf(name)}.`,
    async load() {
      const { operationCommand } = await import("./operation-command.ts");
      const own = (await ownCommands[name]?.()) ?? [];
      return [...own, ...placed.map(operationCommand)];
    },
  }));
}

/** Returns the description of the resource that gives the group its name. */
function descriptionOf(group: string): string {
  const named = Object.entries(resources).find(([resource]) => groupOf(resource) === group);
  return named?.[1].summary ?? group;
}
