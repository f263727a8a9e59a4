import { z } from "zod";

/** Roles of a process. */
export const roleNames = ["api", "controller", "notifier", "probe"] as const;
export type RoleName = (typeof roleNames)[number];

const ALL = "all";

const roles = z
  .string()
  .default(ALL)
  .transform((text, context): readonly RoleName[] => {
    const given = text.split(",").map((part) => part.trim());
    if (given.length === 1 && given[0] === ALL) return roleNames;
    const unknown = given.find((name) => !roleNames.some((known) => known === name));
    if (unknown === undefined) return roleNames.filter((name) => given.includes(name));
    context.addIssue(
      `must be all, or some of ${roleNames.join(", ")}, separated by commas, not ${JSON.stringify(text)}`,
    );
    return z.NEVER;
  });

/** Roles that this process runs. */
export const roleSettings = {
  WATCHPOST_ROLES: roles.meta({
    fallback: "`all`",
    meaning:
      "What this process does, as a list such as `controller,probe`: `api` (API, heartbeats and dashboard), `controller` (schedules checks and confirms verdicts), `notifier` (alerts and mails), `probe` (runs the checks of the process's own locations). See [roles](#roles-in-processes-of-their-own)",
  }),
};
