import type { AuditEntry } from "../../../domain/account/audit.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Transaction } from "../../../store/store.ts";
import type { Call, RequestWrites, Scope } from "../auth.ts";
import type { Route } from "../route.ts";
import type { ReadRecorded, RecordedValues } from "../../operation.ts";
import { changesBetween } from "./recorded-values.ts";

interface AuditedRequest extends Pick<Route, "resource" | "action" | "operation" | "values"> {
  readonly scope: Scope;
  readonly client: string;
}

type Unit<Value> = (tx: Transaction) => Promise<Value>;

/** Has the first of the writes of a request record who changed what, in the same unit; `about` names the record where the request does not. */
export function auditedWrites(
  request: AuditedRequest,
  { write, writeWithinLimits }: RequestWrites,
  { now }: Pick<Clock, "now">,
): RequestWrites & Pick<Call, "about"> {
  if (request.operation.effect === "read") return { write, writeWithinLimits, about() {} };
  let entry = entryOf(request);
  const recorded = recordedBy(request, entry);
  let isDone = false;

  const audited = async <Value>(
    unit: Unit<Value>,
    run: (unit: Unit<Value>) => Promise<Value>,
  ): Promise<Value> => {
    if (isDone) return run(unit);
    const value = await run(async (tx) => {
      const read = async (): Promise<RecordedValues | undefined> => recorded?.(tx);
      const before = await read();
      const written = await unit(tx);
      // A transaction that changed nothing returns false.
      if (written === false) return written;
      const after = before && (await read());
      const changes = before && after && { changes: changesBetween(before, after) };
      await tx.audit.insert({ ...entry, ...changes, at: now() });
      return written;
    });
    if (value !== false) isDone = true;
    return value;
  };

  return {
    about: (recordId) => void (entry = { ...entry, recordId }),
    write: (unit, options) => audited(unit, (whole) => write(whole, options)),
    writeWithinLimits: (account, unit, options) =>
      audited(unit, (whole) => writeWithinLimits(account, whole, options)),
  };
}

/** Reads what the audit log compares of the record that the request changes, if it does; a POST that names one replaces it. */
function recordedBy(
  { action, resource, scope }: AuditedRequest,
  { recordId }: Pick<AuditEntry, "recordId">,
): ((tx: Transaction) => ReturnType<ReadRecorded>) | undefined {
  const { id: accountId } = scope.account;
  const { recorded } = resource;
  const isChange = action === "PUT" || (action === "POST" && recordId !== undefined);
  return isChange && recorded !== undefined
    ? (tx) => recorded(tx, { accountId, id: recordId ?? accountId })
    : undefined;
}

/** Parameters that identify the account and record, which are already in `scope`. */
const identifying = new Set(["id", "customerid"]);

function entryOf(request: AuditedRequest): Omit<AuditEntry, "at"> {
  const { resource, action, operation, values, scope, client } = request;
  const { input, extraParameters = {} } = operation;
  const isKnown = (name: string): boolean =>
    Object.hasOwn(input.shape, name) || Object.hasOwn(extraParameters, name);
  const isOfAccounts = resource.ids === "account";
  return {
    // An entry in a deleted subaccount would be purged with it.
    accountId: isOfAccounts && action !== "PUT" ? scope.caller.id : scope.account.id,
    actor: scope.actor,
    client,
    operation: `${action} ${resource.name}`,
    recordId: isOfAccounts
      ? scope.account.id
      : typeof values.id === "string"
        ? values.id
        : undefined,
    fields: Object.keys(values).filter((name) => isKnown(name) && !identifying.has(name)),
  };
}
