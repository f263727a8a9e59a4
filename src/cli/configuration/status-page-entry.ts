import { isRecord } from "../../kit/safe-json.ts";
import type { Configuration } from "./document.ts";
import type { DeclaredRecord } from "./declaration.ts";
import { inside } from "./declare.ts";
import { flagOf, nameOf, textsOf, type Context } from "./entries.ts";
import type { SourceLocation } from "./source/source-location.ts";
import { titleOf } from "./find-records.ts";
import { textOf } from "./text-of.ts";

/** Defaults of a page for values that the files do not mention. */
export const newPage: Omit<Configuration["statuspages"][string], "name" | "slug"> = {
  domain: "",
  enabled: true,
  access: "public",
  language: "en",
  timezone: "",
  intro: "",
  footer: "",
  color: "",
  logo: "",
  charts: "none",
  sections: [],
  outageincidents: "off",
};

export function pageOf(
  record: DeclaredRecord,
  id: string,
  context: Context,
): Configuration["statuspages"][string] {
  const known = context.current.statuspages[id];
  const {
    sections,
    enabled,
    subscribe,
    outagedelay = known?.outagedelay,
    ...values
  } = record.values;
  return {
    ...newPage,
    ...known,
    ...textsOf(values),
    name: nameOf("statuspages", record, known?.name),
    enabled: flagOf(enabled) ?? known?.enabled ?? true,
    subscribe: flagOf(subscribe) ?? known?.subscribe ?? true,
    ...(outagedelay !== undefined && { outagedelay: Number(outagedelay) }),
    sections:
      sections === undefined
        ? (known?.sections ?? [])
        : shownSections(sections, inside(record.place, "sections"), context),
  };
}

function shownSections(
  value: unknown,
  place: SourceLocation,
  { names, faults, declared, current }: Context,
): Configuration["statuspages"][string]["sections"] {
  if (!Array.isArray(value)) {
    faults.add(place, "must be a list of sections, each with a name and checks");
    return [];
  }
  return value.flatMap((section: unknown, index) => {
    const at = inside(place, index);
    const checks = isRecord(section) ? (section.checks ?? []) : undefined;
    if (!isRecord(section) || !Array.isArray(checks)) {
      faults.add(at, "must be an object of a name and a list of checks");
      return [];
    }
    const shown = checks.flatMap((check: unknown, position) => {
      const inner = inside(at, "checks", position);
      const named = isRecord(check) ? check : { check };
      const id = typeof named.check === "string" ? names.check(named.check, inner) : undefined;
      if (typeof named.check !== "string")
        faults.add(inner, "must be the name of a check, or an object of check and name");
      if (id === undefined) return [];
      return [
        { id, name: textOf(named.name ?? labelOf(textOf(named.check), id, { declared, current })) },
      ];
    });
    return [{ name: textOf(section.name ?? ""), checks: shown }];
  });
}

/** The name of a check that a page gives no other. */
function labelOf(
  text: string,
  id: string,
  { declared, current }: Pick<Context, "declared" | "current">,
): string {
  const record = declared.sections.checks.get(text);
  return record === undefined ? (current.checks[id]?.label ?? text) : titleOf("checks", record);
}
