import type { Scenario } from "../scenario.ts";
import { nameScenarios } from "./names.ts";
import { networkScenarios } from "./network.ts";
import { tlsScenarios } from "./tls.ts";
import { blipScenarios, webScenarios } from "./web.ts";

/** Every way in which a target fails, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  ...webScenarios,
  ...tlsScenarios,
  ...nameScenarios,
  ...networkScenarios,
  ...blipScenarios,
];
