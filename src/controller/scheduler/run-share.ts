import { checkTypeOf } from "../../checks/registry.ts";
import { parseHost } from "../../kit/net/host.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";

/** What a run takes a part of: the places of its account, and those at its target's host or the budget of its type. */
export interface RunShare {
  /** The primary account: its subaccounts have one share together. */
  readonly primaryId: string;
  readonly accountId: string;
  readonly type: string;
  /** The host that bears the run; undefined where none is known. */
  readonly host: string | undefined;
  /** How many such runs the account may start in a minute; undefined is no limit. */
  readonly mostPerMinute: number | undefined;
}

export function runShareOf({
  primaryId,
  check: { accountId, type, parameters },
}: Pick<ActiveCheck, "check" | "primaryId">): RunShare {
  const { target = "none", mostPerMinute } = checkTypeOf(type) ?? {};
  if (mostPerMinute !== undefined)
    return { primaryId, accountId, type, host: undefined, mostPerMinute };
  const host = target === "none" ? undefined : hostOf(parameters);
  return { primaryId, accountId, type, host, mostPerMinute };
}

/** What the runs of an account take turns by; made when it is asked for, for every check would keep it. */
export function laneOf({ type, host, mostPerMinute }: RunShare): string {
  return mostPerMinute === undefined ? `host ${host ?? ""}` : `type ${type}`;
}

/** In one spelling, of a URL or of a target that is a host. */
function hostOf({ target }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof target !== "string") return undefined;
  const url = URL.parse(target);
  return parseHost(url === null || url.host === "" ? target : url.hostname)?.replace(/\.$/, "");
}
