/** Why nobody was signed in by the provider of OpenID Connect: in the address of the page that says so. */
export const oidcProblems = [
  "busy",
  "unavailable",
  "ended",
  "refused",
  "invalid",
  "unverified",
  "unknown",
] as const;

export type OidcProblem = (typeof oidcProblems)[number];

export const PROBLEM_PARAMETER = "problem";
