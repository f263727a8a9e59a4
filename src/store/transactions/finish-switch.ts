import type { Store } from "../store.ts";

/** Switches what a unit has left of an account's checks, in units short enough not to delay others. */
export async function finishSwitch(
  { checks, write }: Pick<Store, "checks" | "write">,
  accountId: string,
): Promise<void> {
  if ((await checks.listSwitching(accountId)).length === 0) return;
  while (await write((tx) => tx.checks.switchSome(accountId)));
}
