import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { StormCheck } from "./accounts.ts";
import { observeOnce, passAll } from "./beating.ts";
import type { Installation } from "./installation.ts";
import type { Finding } from "./judges/judge-states.ts";

const UP_WITHIN_MS = 4 * 60_000;

/** The first account, whose checks alert its owner by mail and a webhook. */
export async function plainAccount(
  site: Installation,
  hookUrl: string,
): Promise<{ readonly account: string; readonly notifications: readonly object[] }> {
  const { body: contacts } = await site.insist("GET contacts");
  const [owner]: readonly { customer_id: string; addresses: object }[] = Object.values(contacts);
  const [mailbox = ""] = Object.keys(owner?.addresses ?? {});
  const { body: contact } = await site.insist("POST contacts", {
    name: "Hook",
    custrole: "notify",
    newaddresses: [{ address: hookUrl, type: "webhook" }],
  });
  return {
    account: owner?.customer_id ?? "",
    notifications: [{ [mailbox]: "All" }, { [contact._id]: "All" }],
  };
}

/** Waits until every check passes, as everything that it looks at is well. */
export async function putRight({
  site,
  all,
  observed,
}: {
  readonly site: Installation;
  readonly all: readonly StormCheck[];
  readonly observed: readonly {
    readonly account: string;
    readonly checks: readonly StormCheck[];
  }[];
}): Promise<readonly Finding[]> {
  await passAll(all, site);
  const end = systemClock.monotonic() + UP_WITHIN_MS;
  for (;;) {
    await Promise.all(observed.map((account) => observeOnce(account, site)));
    const wrong = all.filter(({ observations }) => observations.at(-1)?.isUp !== true);
    const at = systemClock.monotonic();
    if (wrong.length === 0) return [];
    if (at > end)
      return wrong.map(({ id }) => ({
        kind: "missed",
        about: id,
        at,
        what: "all is well, and it is not up",
      }));
    await sleep(systemClock, 1000);
  }
}

/** Whether it says in the end that all is well. */
export async function judgeReadiness(site: Installation): Promise<readonly Finding[]> {
  const response = await site.fetch("/readyz");
  const what = await response.text();
  if (response.ok) return [];
  return [{ kind: "unready", about: "the process", at: systemClock.monotonic(), what }];
}
