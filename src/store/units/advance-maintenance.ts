import type { Account } from "../../domain/account.ts";
import {
  withStart,
  dueStep,
  withAddedChecks,
  withMissedStart,
  nextStartOf,
  idsExcept,
} from "../../domain/maintenance.ts";
import type { Maintenance, MaintenanceStep } from "../../domain/maintenance.ts";
import type { MaintenanceKey } from "../maintenances.ts";
import type { Transaction } from "../store.ts";

/** Starts or ends a maintenance where that is due, and gives the step it took. One without a cron is removed once it ended. */
export async function advanceMaintenance(
  tx: Transaction,
  { accountId, id }: MaintenanceKey,
  now: number,
): Promise<MaintenanceStep | undefined> {
  const maintenance = await tx.maintenances.find(accountId, id);
  const account = await tx.accounts.find(accountId);
  if (maintenance === undefined || account === undefined) return undefined;
  const step = dueStep(maintenance, now);
  const { offsetHours } = account;
  if (step === undefined) return undefined;
  if (step.kind === "miss") {
    await tx.maintenances.update(withMissedStart(maintenance, step.at, { now, offsetHours }));
  } else if (step.kind === "begin") {
    const paused = await tx.maintenances.pauseChecks(maintenance, maintenance.checkIds, now);
    await tx.maintenances.update(withStart(maintenance, step.at, { held: paused, offsetHours }));
  } else if (maintenance.cron === undefined) {
    await tx.maintenances.remove(accountId, id, now);
  } else {
    await tx.maintenances.resumeChecks(maintenance, maintenance.checkIds, now);
    await tx.maintenances.update({ ...maintenance, endsAt: undefined });
  }
  return step;
}

/** Replaces a maintenance; where it is under way, checks that are added or removed are paused or resumed at once. Gives it as it is then. */
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

/** Adds a maintenance, which begins at once where it has no cron. Gives it as it is then. */
export async function createMaintenance(
  tx: Transaction,
  maintenance: Maintenance,
  now: number,
): Promise<Maintenance> {
  await tx.maintenances.insert(maintenance);
  return advanced(tx, maintenance, now);
}

/** Computes the next start of each maintenance again, after the account's time zone changed. */
export async function rescheduleMaintenances(
  tx: Transaction,
  { id, offsetHours }: Account,
  now: number,
): Promise<void> {
  for (const maintenance of await tx.maintenances.list(id))
    await tx.maintenances.update({
      ...maintenance,
      nextAt: nextStartOf(maintenance, { now, offsetHours }),
    });
}

async function advanced(
  tx: Transaction,
  maintenance: Maintenance,
  now: number,
): Promise<Maintenance> {
  await advanceMaintenance(tx, maintenance, now);
  const { accountId, id } = maintenance;
  return (await tx.maintenances.find(accountId, id)) ?? { ...maintenance, endsAt: undefined };
}
