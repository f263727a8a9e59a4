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

/** Takes a maintenance its next step where one is due, and says which that was. One without a cron is gone once it ended. */
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
    const held = await tx.maintenances.pauseChecks(maintenance, maintenance.checkIds, now);
    await tx.maintenances.update(withStart(maintenance, step.at, { held, offsetHours }));
  } else if (maintenance.cron === undefined) {
    await tx.maintenances.remove(accountId, id, now);
  } else {
    await tx.maintenances.resumeChecks(maintenance, maintenance.checkIds, now);
    await tx.maintenances.update({ ...maintenance, endsAt: undefined });
  }
  return step;
}

/** Puts a maintenance in the place of what it was; where it is under way its checks follow at once. Gives what became of it. */
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
    const held = await tx.maintenances.pauseChecks(known, added, now);
    await tx.maintenances.update(withAddedChecks(next, added, held));
  }
  return stepped(tx, next, now);
}

/** Adds a maintenance, which begins at once where it has no cron. Gives what became of it. */
export async function createMaintenance(
  tx: Transaction,
  maintenance: Maintenance,
  now: number,
): Promise<Maintenance> {
  await tx.maintenances.insert(maintenance);
  return stepped(tx, maintenance, now);
}

/** Where the clock of an account changed, what goes by it begins at other times. */
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

async function stepped(
  tx: Transaction,
  maintenance: Maintenance,
  now: number,
): Promise<Maintenance> {
  await advanceMaintenance(tx, maintenance, now);
  const { accountId, id } = maintenance;
  return (await tx.maintenances.find(accountId, id)) ?? { ...maintenance, endsAt: undefined };
}
