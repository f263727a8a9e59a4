import { parseMailbox } from "../../channels/mail/mailbox.ts";
import type { CompatibilityMode } from "../../domain/account/token.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Ids } from "../../kit/ids.ts";
import { createAccountAdmin, type AccountAdmin } from "../../store/transactions/account-admin.ts";
import { createTokenAdmin, type TokenAdmin } from "../../store/transactions/token-admin.ts";
import type { Store } from "../../store/store.ts";
import { examineAlerting, type AlertingReport } from "./alerting.ts";

/** Operator's actions on the machine itself, without a token. */
export interface Administration {
  readonly tokenAdmin: TokenAdmin;
  readonly accountAdmin: AccountAdmin;
  readonly examineAlerting: () => Promise<AlertingReport>;
}

interface Deps {
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Default compatibility mode of tokens. */
  readonly compatibility: CompatibilityMode;
}

export function createAdministration(deps: Deps): Administration {
  return {
    tokenAdmin: createTokenAdmin(deps),
    accountAdmin: createAccountAdmin({ ...deps, parseMailbox }),
    examineAlerting: () => examineAlerting(deps.store, deps.clock.now()),
  };
}
