import { AsyncLocalStorage } from "node:async_hooks";

import type { AuditEntry } from "../../../domain/account/audit.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Store, Transaction, UnitOptions } from "../../../store/store.ts";
import type { Quota } from "../../quota.ts";
import type { Call, Scope } from "../auth.ts";
import type { Route } from "../route.ts";
import { changesBetween, readRecordedValues } from "./recorded-values.ts";

/** Records who changed what, in the same unit as the change. */
export interface AuditTrail {
  /** Works on a request; `about` names its record where the request does not. */
  readonly run: <Value>(
    request: AuditedRequest,
    work: (about: Call["about"]) => Promise<Value>,
  ) => Promise<Value>;
  /** Both record the first unit of each request. */
  readonly store: Store;
  readonly quota: Quota;
}

interface AuditedRequest extends Pick<Route, "resource" | "action" | "operation" | "values"> {
  readonly scope: Scope;
  readonly client: string;
}

interface Deps {
  readonly store: Store;
  readonly quota: Quota;
  readonly clock: Pick<Clock, "now">;
}

interface Context {
  entry: Omit<AuditEntry, "at">;
  /** The record of which the values before and after are compared. */
  readonly changed: ChangedRecord | undefined;
  isDone: boolean;
}

interface ChangedRecord {
  readonly resource: string;
  readonly key: { readonly accountId: string; readonly id: string };
}

type Unit<Value> = (tx: Transaction) => Promise<Value>;

export function createAuditTrail({ store, quota, clock }: Deps): AuditTrail {
  const current = new AsyncLocalStorage<Context>();

  const audited = async <Value>(
    unit: Unit<Value>,
    write: (unit: Unit<Value>) => Promise<Value>,
  ): Promise<Value> => {
    const context = current.getStore();
    if (context === undefined || context.isDone) return write(unit);
    const { entry, changed } = context;
    const value = await write(async (tx) => {
      const read = async () => changed && readRecordedValues(tx, changed.resource, changed.key);
      const before = await read();
      const written = await unit(tx);
      // A unit that found nothing to change gives false.
      if (written === false) return written;
      const after = before && (await read());
      const changes = before && after && { changes: changesBetween(before, after) };
      await tx.audit.insert({ ...entry, ...changes, at: clock.now() });
      return written;
    });
    if (value !== false) context.isDone = true;
    return value;
  };

  return {
    async run(request, work) {
      if (request.operation.effect === "read") return work(() => {});
      const entry = entryOf(request);
      const context: Context = { entry, changed: changedBy(request, entry), isDone: false };
      return current.run(context, () =>
        work((recordId) => (context.entry = { ...context.entry, recordId })),
      );
    },
    store: {
      ...store,
      write: (unit, options) => audited(unit, (whole) => store.write(whole, options)),
    },
    quota: {
      ...quota,
      write: <Value>(
        account: Parameters<Quota["write"]>[0],
        unit: Unit<Value>,
        options?: UnitOptions,
      ) => audited(unit, (whole) => quota.write(account, whole, options)),
    },
  };
}

/** The record that the request changes, if it does; a POST that names one replaces it. */
function changedBy(
  { action, resource, scope }: AuditedRequest,
  { recordId }: Pick<AuditEntry, "recordId">,
): ChangedRecord | undefined {
  const { id: accountId } = scope.account;
  const isChange = action === "PUT" || (action === "POST" && recordId !== undefined);
  if (!isChange) return undefined;
  return { resource: resource.name, key: { accountId, id: recordId ?? accountId } };
}

/** Which account and record they are about is in `scope`. */
const identifying = new Set(["id", "customerid"]);

function entryOf(request: AuditedRequest): Omit<AuditEntry, "at"> {
  const { resource, action, operation, values, scope, client } = request;
  const { input, extraParameters = {} } = operation;
  const isKnown = (name: string): boolean =>
    Object.hasOwn(input.shape, name) || Object.hasOwn(extraParameters, name);
  const isOfAccounts = resource.ids === "account";
  return {
    // What is said of a subaccount that is deleted would be purged with it.
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
