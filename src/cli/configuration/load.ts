import type { ApiClient } from "../api-client.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { matchRecords } from "./match.ts";
import { readAccountTree } from "./read-account.ts";
import { planAccount, type AccountPlan, type Target } from "./account-plan.ts";
import type { DeclaredAccount, Declaration } from "./declaration.ts";
import { declarationOf } from "./declare.ts";
import { createFaults, type Faults } from "./source/faults.ts";
import { readSources } from "./source/read-sources.ts";
import { createReferences, type References } from "./source/references.ts";
import { parseSource } from "./source/source-file.ts";
import { validateAccount } from "./validate.ts";
import { textOf } from "./text-of.ts";

/** Loaded files and their errors so far. */
export interface Loaded {
  readonly declaration: Declaration;
  readonly references: References;
  readonly faults: Faults;
}

/** Reads files and folders. Throws a CommandError with all faults where one of the files is no YAML. */
export async function loadFiles(
  places: readonly string[],
  context: Pick<CommandContext, "readInput" | "environment">,
): Promise<Loaded> {
  const faults = createFaults((text) => references.redact(text));
  const references = createReferences(context.environment, faults);
  const sources = await readSources(places, context);
  const files = sources.flatMap((source) => parseSource(source, faults) ?? []);
  faults.assertNone();
  const declaration = declarationOf(files, { references, faults });
  for (const declared of [declaration, ...declaration.subaccounts.values()])
    validateAccount(declared, faults);
  return { declaration, references, faults };
}

/** Plans all accounts of the files, before any of them is changed. Throws a CommandError with all faults. */
export async function planFiles(
  api: ApiClient,
  { declaration, faults }: Loaded,
  { account, prune }: { readonly account: string | undefined; readonly prune: boolean },
): Promise<readonly AccountPlan[]> {
  const ready = [];
  for (const target of await targetsOf(api, declaration, account))
    ready.push(await planAccount(api, target, { prune, faults }));
  faults.assertNone();
  return ready.map((plan) => plan());
}

async function targetsOf(
  api: ApiClient,
  declaration: Declaration,
  account: string | undefined,
): Promise<readonly Target[]> {
  const { own, subaccounts } = await readAccountTree(api);
  const accountId = account ?? own;
  const isSubaccount = accountId !== own;
  const below = [...declaration.subaccounts];
  if (isSubaccount && below.length > 0)
    throw new CommandError(
      "the files have subaccounts, and a subaccount cannot have any: omit --account",
    );
  const pairs = matchRecords(
    {
      wanted: Object.fromEntries(
        below.map(([key, each]) => [key, { name: accountName(key, each) }]),
      ),
      current: subaccounts,
    },
    ({ name }) => name,
  );
  const { name } = declaration;
  return [
    { declared: declaration, name, accountId, subaccount: undefined, isSubaccount },
    ...below.map(([key, declared]) => ({
      declared,
      name,
      accountId: pairs.get(key),
      subaccount: key,
      isSubaccount: true,
    })),
  ];
}

function accountName(key: string, { account }: DeclaredAccount): string {
  return textOf(account?.values.name ?? key);
}
