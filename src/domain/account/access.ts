/** Access levels of a caller in an account, each including the ones before it. */
const accessLevels = ["view", "edit", "owner"] as const;
export type Access = (typeof accessLevels)[number];

/** Returns whether what somebody may do includes what is needed. */
export function includesAccess(has: Access, needed: Access): boolean {
  return accessLevels.indexOf(has) >= accessLevels.indexOf(needed);
}
