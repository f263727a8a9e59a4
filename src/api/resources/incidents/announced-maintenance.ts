import type { Account } from "../../../domain/account/account.ts";
import type { Maintenance } from "../../../domain/maintenance.ts";
import { checkIdsOf, mostShownChecks } from "../../../domain/status/status-page.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import type { Reads } from "../../../store/store.ts";
import type { NewInput } from "./from-wire.ts";

const MINUTE_MS = 60_000;

/** What a post that announces a maintenance has of it, where it was not sent; nothing of one that announces none. */
export async function announcedMaintenance(
  { maintenances, statusPages }: Pick<Reads, "maintenances" | "statusPages">,
  { id: accountId }: Pick<Account, "id">,
  input: NewInput,
): Promise<Partial<NewInput>> {
  if (input.maintenance === undefined || input.maintenance === "") return {};
  const found = await maintenances.find(accountId, input.maintenance);
  if (found === undefined)
    throw new InvalidInput(`maintenance: no such maintenance ${JSON.stringify(input.maintenance)}`);
  if (input.kind === "incident")
    throw new InvalidInput("maintenance: only with the kind maintenance");
  const { start, end } = windowOf(found);
  const pages = await statusPages.list(accountId);
  const shown = new Set(pages.flatMap(checkIdsOf));
  const checks = found.checkIds.filter((id) => shown.has(id)).slice(0, mostShownChecks);
  return {
    kind: "maintenance",
    name: input.name ?? found.name,
    start: input.start ?? start,
    end: input.end ?? end,
    checks: input.checks ?? checks,
    auto: input.auto ?? true,
  };
}

/** The time that it is under way, or will be next. */
function windowOf({ nextAt, endsAt, history, durationMinutes }: Maintenance): {
  readonly start: number;
  readonly end: number;
} {
  const start = endsAt === undefined ? nextAt : history[0]?.at;
  if (start === undefined) throw new InvalidInput("maintenance: it has no start to come");
  return { start, end: endsAt ?? start + durationMinutes * MINUTE_MS };
}
