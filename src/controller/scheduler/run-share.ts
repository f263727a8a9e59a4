import { checkTypeOf } from "../../checks/registry.ts";
import { parseHost } from "../../kit/net/host.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";

/** Resources used by a run: slots of its account, and slots of its target's host or the budget of its type. */
export interface RunShare {
  /** The primary account: its subaccounts have one share together. */
  readonly primaryId: string;
  readonly accountId: string;
  readonly type: string;
  /** Host that receives the run's load; undefined if unknown. */
  readonly host: string | undefined;
  /** How many such runs the account may start in a minute; undefined is no limit. */
  readonly maxPerMinute: number | undefined;
}

export function runShareOf({
  primaryId,
  check: { accountId, type, parameters },
}: Pick<ActiveCheck, "check" | "primaryId">): RunShare {
  const { target = "none", maxPerMinute } = checkTypeOf(type) ?? {};
  if (maxPerMinute !== undefined)
    return { primaryId, accountId, type, host: undefined, maxPerMinute };
  const host = target === "none" ? undefined : hostOf(parameters);
  return { primaryId, accountId, type, host, maxPerMinute };
}

/** Returns the key by which an account's runs take turns. Computed on demand because storing it would cost memory per check. */
export function laneOf({ type, host, maxPerMinute }: RunShare): string {
  return maxPerMinute === undefined ? `host ${host ?? ""}` : `type ${type}`;
}

/** Normalizes the host of a URL or of a target that is a host. */
function hostOf({ target }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof target !== "string") return undefined;
  const url = URL.parse(target);
  return parseHost(url === null || url.host === "" ? target : url.hostname)?.replace(/\.$/, "");
}
