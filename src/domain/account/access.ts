/** What a caller may do in an account, each with all that those before it allow. */
const accessLevels = ["view", "edit", "owner"] as const;
export type Access = (typeof accessLevels)[number];

/** Whether what somebody may do includes what is needed. */
export function includesAccess(has: Access, needed: Access): boolean {
  return accessLevels.indexOf(has) >= accessLevels.indexOf(needed);
}
