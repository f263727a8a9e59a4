import { AsyncLocalStorage } from "node:async_hooks";

import type { AuditEntry } from "../../../domain/account/audit.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Store, Transaction, UnitOptions } from "../../../store/store.ts";
import type { Quota } from "../../quota.ts";
import type { Call, Scope } from "../auth.ts";
import type { Route } from "../route.ts";

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
  isDone: boolean;
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
    const { entry } = context;
    const value = await write(async (tx) => {
      const written = await unit(tx);
      // A unit that found nothing to change gives false.
      if (written !== false) await tx.audit.insert({ ...entry, at: clock.now() });
      return written;
    });
    if (value !== false) context.isDone = true;
    return value;
  };

  return {
    async run(request, work) {
      if (request.operation.effect === "read") return work(() => {});
      const context: Context = { entry: entryOf(request), isDone: false };
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
