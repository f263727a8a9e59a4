import { primaryIdOf, type Account } from "../domain/account/account.ts";
import type { Alert } from "../domain/alert/alert.ts";

/** An alert without a flip; it is like a recovery, so that services open no incident. */
export function testAlert({
  id,
  at,
  account,
  message,
}: {
  readonly id: string;
  readonly at: number;
  readonly account: Account;
  readonly message: string;
}): Alert {
  const checkId = `${account.id}-TEST`;
  return {
    id,
    flipId: "",
    accountId: account.id,
    primaryId: primaryIdOf(account),
    checkNo: 0,
    checkId,
    outage: undefined,
    kind: "first",
    contactId: "",
    addressId: "",
    schedules: ["All"],
    dueAt: at,
    createdAt: at,
    notice: {
      account: { id: account.id, name: account.name },
      check: {
        id: checkId,
        label: "Test message",
        type: "TEST",
        target: "",
        intervalMinutes: 0,
        description: "A test of Watchpost: nothing is down",
      },
      state: "passing",
      previous: undefined,
      since: at,
      downForMs: undefined,
      result: {
        id: `${checkId}-${at}`,
        startedAt: at,
        endedAt: at,
        runtimeMs: 0,
        reason: "ok",
        text: "Test",
        message,
      },
      confirmations: [],
    },
    retryUntil: at,
    attempts: 1,
    bundle: undefined,
    possiblySent: false,
    judged: true,
    destination: "",
  };
}
