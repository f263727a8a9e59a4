/** The exit codes of commands. `changes` is that of a plan by which something is to be done. The last is EX_CONFIG of sysexits.h: other settings are needed, and a restart alone is of no use. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usageError: 2,
  changes: 3,
  misconfigured: 78,
} as const;
