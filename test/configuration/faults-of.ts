import { declarationOf } from "../../src/cli/configuration/declare.ts";
import { createFaults } from "../../src/cli/configuration/source/faults.ts";
import { createReferences } from "../../src/cli/configuration/source/references.ts";
import { parseSource } from "../../src/cli/configuration/source/source-file.ts";
import { validateAccount } from "../../src/cli/configuration/validate.ts";

/** The faults of files that need no account to be seen. */
export function faultsOf(texts: readonly string[]): readonly string[] {
  const faults = createFaults((text) => text);
  const files = texts.flatMap(
    (text, at) =>
      parseSource({ name: `${"abc".charAt(at)}.yaml`, folder: "/", text }, faults) ?? [],
  );
  if (faults.count() > 0) return faults.lines();
  const references = createReferences({ SET: "x" }, faults);
  const declaration = declarationOf(files, { references, faults });
  for (const declared of [declaration, ...declaration.subaccounts.values()])
    validateAccount(declared, faults);
  return faults.lines();
}
