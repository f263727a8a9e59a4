import type { Account } from "../../domain/account/account.ts";
import {
  withStart,
  dueStep,
  withAddedChecks,
  withMissedStart,
  nextStartOf,
  idsExcept,
  type Maintenance,
  type MaintenanceStep,
} from "../../domain/maintenance.ts";
import type { Transaction } from "../store.ts";
import type { MaintenanceKey } from "../tables/maintenances.ts";

/** Claims a maintenance and begins or ends it where that is due, and returns which it was. One without a cron is removed when it ends. */
export async function advanceMaintenance(
  tx: Transaction,
  key: MaintenanceKey,
): Promise<MaintenanceStep | undefined> {
  const claimed = await tx.maintenances.claim(key);
  if (claimed === undefined) return undefined;
  const step = await takeDueStep(tx, claimed);
  if (step !== undefined) await tx.changes.record({ accountId: key.accountId, checkNo: undefined });
  return step;
}

async function takeDueStep(
  tx: Transaction,
  { maintenance, now }: { readonly maintenance: Maintenance; readonly now: number },
): Promise<MaintenanceStep | undefined> {
  const { accountId, id } = maintenance;
  const account = await tx.accounts.find(accountId);
  if (account === undefined) return undefined;
  const step = dueStep(maintenance, now);
  const { timeZone } = account;
  if (step === undefined) return undefined;
  if (step.kind === "miss") {
    await tx.maintenances.update(withMissedStart(maintenance, step.at, { now, timeZone }));
  } else if (step.kind === "begin") {
    const paused = await tx.maintenances.pauseChecks(maintenance, maintenance.checkIds, now);
    await tx.maintenances.update(withStart(maintenance, step.at, { held: paused, timeZone }));
  } else if (maintenance.cron === undefined) {
    await tx.maintenances.remove(accountId, id, now);
  } else {
    await tx.maintenances.resumeChecks(maintenance, maintenance.checkIds, now);
    await tx.maintenances.update({ ...maintenance, endsAt: undefined });
  }
  return step;
}

/** Updates a maintenance and returns it; during a period its checks are paused or resumed immediately. */
export async function updateMaintenance(
  tx: Transaction,
  { known, next }: { readonly known: Maintenance; readonly next: Maintenance },
  now: number,
): Promise<Maintenance> {
  if (known.endsAt === undefined) {
    await tx.maintenances.update(next);
  } else {
    const stay = next.endsAt === undefined ? [] : next.checkIds;
    const added = idsExcept(stay, known.checkIds);
    await tx.maintenances.resumeChecks(known, idsExcept(known.checkIds, stay), now);
    const paused = await tx.maintenances.pauseChecks(known, added, now);
    await tx.maintenances.update(withAddedChecks(next, added, paused));
  }
  return advanced(tx, next, now);
}

/** Creates a maintenance, which begins at once where it has no cron. Returns it as it then is. */
export async function createMaintenance(
  tx: Transaction,
  maintenance: Maintenance,
  now: number,
): Promise<Maintenance> {
  await tx.maintenances.insert(maintenance);
  return advanced(tx, maintenance, now);
}

/** After a change of an account's time zone its maintenances begin at other times. */
export async function rescheduleMaintenances(
  tx: Transaction,
  { id, timeZone }: Account,
  now: number,
): Promise<void> {
  for (const maintenance of await tx.maintenances.list(id))
    await tx.maintenances.update({
      ...maintenance,
      nextAt: nextStartOf(maintenance, { now, timeZone }),
    });
}

async function advanced(
  tx: Transaction,
  maintenance: Maintenance,
  now: number,
): Promise<Maintenance> {
  const { accountId, id } = maintenance;
  await takeDueStep(tx, { maintenance, now });
  await tx.changes.record({ accountId, checkNo: undefined });
  return (await tx.maintenances.find(accountId, id)) ?? { ...maintenance, endsAt: undefined };
}
