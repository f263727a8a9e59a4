import type { Account } from "../domain/account/account.ts";
import {
  byKind,
  exceeded,
  nearing,
  type AccountLimits,
  type LimitedKind,
  type Usage,
} from "../domain/account/limits.ts";
import { Forbidden } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Store, Transaction, TransactionOptions } from "../store/store.ts";

/** Limits and usage of accounts. */
export interface Quota {
  /** Runs a unit that writes records of the account. Throws Forbidden, and stores nothing, where a limit would be exceeded. */
  readonly write: <Value>(
    account: Pick<Account, "id" | "parentId">,
    unit: (tx: Transaction) => Promise<Value>,
    options?: TransactionOptions,
  ) => Promise<Value>;
  /** Returns the usage and limits of an account with its subaccounts. */
  readonly of: (
    accountId: string,
  ) => Promise<Readonly<Record<LimitedKind, { readonly used: number; readonly limit: number }>>>;
}

interface Deps {
  readonly store: Pick<Store, "usage" | "write">;
  readonly limits: AccountLimits;
  readonly log: Log;
  readonly meter: Meter;
}

class LimitReached extends Forbidden {
  readonly kind: LimitedKind;

  constructor(kind: LimitedKind, limit: number) {
    const what = kind === "configuration" ? `${limit} bytes of configuration` : `${limit} ${kind}`;
    super(
      `limit reached: an account may keep ${what}, those of its subaccounts included; whoever runs this installation can raise ${kind} in WATCHPOST_ACCOUNT_LIMITS`,
    );
    this.kind = kind;
  }
}

export function createQuota({ store, limits, log, meter }: Deps): Quota {
  const assertWithin = (before: Usage, after: Usage): void => {
    const [kind] = exceeded(limits, before, after);
    // guard: records of an account
    if (kind !== undefined) throw new LimitReached(kind, limits[kind]);
  };
  const refused = (owner: string, error: unknown): void => {
    if (!(error instanceof LimitReached)) return;
    meter.count("api.limit_reached", { limit: error.kind });
    log.warn("api.limit_reached", { account: owner, limit: error.kind, most: limits[error.kind] });
  };
  const near = (owner: string, before: Usage, after: Usage): void => {
    for (const kind of nearing(limits, before, after))
      log.warn("api.limit_near", {
        account: owner,
        limit: kind,
        used: after[kind],
        most: limits[kind],
      });
  };
  return {
    async write(account, unit, options) {
      const owner = account.parentId ?? account.id;
      const before = await store.usage.of(owner);
      try {
        const { value, after } = await store.write(async (tx) => {
          const written = await unit(tx);
          // The transaction's additions are locked, so no other transaction can add before it ends.
          const used = await tx.usage.of(owner);
          assertWithin(before, used);
          return { value: written, after: used };
        }, options);
        near(owner, before, after);
        return value;
      } catch (error) {
        refused(owner, error);
        throw error;
      }
    },
    async of(accountId) {
      const usage = await store.usage.of(accountId);
      return byKind((kind) => ({ used: usage[kind] ?? 0, limit: limits[kind] }));
    },
  };
}
