import { z } from "zod";

import { parseResponse, type ApiClient } from "../api-client.ts";
import { CommandError } from "../command-context.ts";
import { addressOf } from "./import-plan.ts";
import type { Imported, ImportedCheck, ImportSystem } from "./imported.ts";

const marks = z.object({ checks: z.record(z.string(), z.string()) });
const listedChecks = z.record(
  z.string(),
  z.object({
    label: z.string(),
    parameters: z.looseObject({ target: z.unknown().optional() }),
  }),
);

interface Source {
  readonly system: Pick<ImportSystem, "name" | "repeatsIds">;
  readonly imported: Imported;
}

/**
 * Returns the name under which an account stores imports from this installation of a system: the system's name, with a fingerprint if the source has one.
 * Throws if another installation without a fingerprint was imported before, because records with the same IDs would be confused.
 */
export async function originOf(api: ApiClient, { system, imported }: Source): Promise<string> {
  const { fingerprint } = imported;
  const { name } = system;
  if (system.repeatsIds !== true) return name;
  const named = fingerprint === undefined ? name : `${name}:${fingerprint}`;
  if (fingerprint !== undefined && Object.keys(await marksOf(api, named)).length > 0) return named;
  // A copy of the same source may have had no fingerprint, such as a backup file.
  const known = await marksOf(api, name);
  if (Object.keys(known).length === 0) return named;
  const { compared, alike } = await compare(api, imported.checks, known);
  const isSame = alike * 2 >= compared;
  if (fingerprint !== undefined) return isSame && alike > 0 ? name : named;
  if (isSame) return name;
  throw new CommandError(
    `most checks that were imported as ${JSON.stringify(name)} have another name and target here: for another installation add --origin with a name for it, for the same one add --origin ${name}`,
  );
}

async function marksOf(api: ApiClient, origin: string): Promise<Readonly<Record<string, string>>> {
  return parseResponse(marks, await api("GET", "imports", { origin })).checks;
}

/** How many of the checks have a mark, and how many of these still have the same name or target here. */
async function compare(
  api: ApiClient,
  checks: readonly ImportedCheck[],
  known: Readonly<Record<string, string>>,
): Promise<{ readonly compared: number; readonly alike: number }> {
  const present = new Map(Object.entries(parseResponse(listedChecks, await api("GET", "checks"))));
  const pairs = checks.flatMap((check) => {
    const here = present.get(Object.hasOwn(known, check.from) ? (known[check.from] ?? "") : "");
    return here === undefined ? [] : [{ check, here }];
  });
  const alike = pairs.filter(
    ({ check: { name, target }, here }) =>
      name === here.label ||
      (target !== undefined && addressOf(target) === addressOf(here.parameters.target)),
  );
  return { compared: pairs.length, alike: alike.length };
}
