import { z } from "zod";

import { mapFlags, type CheckFlag, type CheckFlags } from "../../../domain/check.ts";
import type { Field } from "../../../schema/field.ts";
import { formHints } from "../../../schema/form-parameter.ts";
import { flag } from "../../../schema/scalars.ts";

/** Each flag of a check, by the name that it has in requests and records. */
export const flagNames = {
  public: "public",
  diagnose: "autodiag",
} as const satisfies Readonly<Record<CheckFlag, string>>;

type FlagName = (typeof flagNames)[CheckFlag];

/** What requests and forms say of each. */
export const flagFields = {
  public: flag.describe("Whether its report is public; false if missing").register(formHints, {
    title: { en: "Public report", de: "Öffentlicher Bericht" },
    help: {
      en: "Whether anybody may see how it does",
      de: "Ob alle sehen dürfen, wie es um sie steht",
    },
    advanced: true,
  }),
  autodiag: flag
    .describe("Whether diagnostics run and are mailed when it goes down")
    .register(formHints, {
      title: { en: "Diagnostics", de: "Diagnose" },
      help: {
        en: "Finds out why, when it goes down, and mails it",
        de: "Untersucht bei einem Ausfall die Ursache, und sendet das Ergebnis per E-Mail",
      },
      advanced: true,
    }),
} satisfies Readonly<Record<FlagName, Field<boolean>>>;

/** What records have of each. */
export const flagAnswers = byName(() => z.boolean());
/** What they are of a new check. */
export const flagDefaults = byName(() => false);

/** The flags of a check after a request: what was not sent stays. */
export function flagsFromWire(
  sent: Readonly<Partial<Record<FlagName, boolean | undefined>>>,
  known: CheckFlags | undefined,
): CheckFlags {
  return mapFlags((of) => sent[flagNames[of]] ?? known?.[of] ?? false);
}

export function flagsToWire(check: CheckFlags): Readonly<Record<string, boolean>> {
  return byName((of) => check[of]);
}

function byName<Value>(valueOf: (of: CheckFlag) => Value): Readonly<Record<string, Value>> {
  const named = mapFlags((of) => [flagNames[of], valueOf(of)] as const);
  return Object.fromEntries(Object.values(named));
}
