import { accountAttacks } from "./account-attacks.ts";
import type { Attack } from "./attack.ts";
import { locationAttacks } from "./location-attacks.ts";
import { strangerAttacks } from "./stranger-attacks.ts";

export const attacks: readonly Attack[] = [
  { name: "none", what: "nothing, to compare with", begin: async () => [] },
  ...strangerAttacks,
  ...accountAttacks,
  ...locationAttacks,
];
