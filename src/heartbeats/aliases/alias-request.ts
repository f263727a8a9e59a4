import {
  aliasText,
  withToken,
  type AliasSystem,
  type HeartbeatAlias,
} from "../../domain/heartbeat/heartbeat-alias.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { InvalidInput } from "../../kit/errors.ts";
import { percentDecode } from "../../kit/http/percent-decode.ts";
import { signalOf } from "../heartbeat-route.ts";
import type { Signal } from "../heartbeat.ts";

type Values = Readonly<Record<string, unknown>>;

/** A heartbeat that comes to an address of another system. */
export interface AliasRequest {
  readonly system: AliasSystem;
  readonly digest: string;
  readonly signal: Signal;
}

/** Durations of Go, such as 1m30s or 250ms. */
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a request's address and headers, without the query. */
export function aliasRequest(
  alias: HeartbeatAlias,
  authorization: string | undefined,
  query: Values,
): AliasRequest {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  const { system } = alias;
  const signal = system === "cronitor" ? cronitorSignal(query.state) : signalOf(alias.word);
  if (signal === undefined) throw new InvalidInput(`address: unknown word ${alias.word}`);
  return { system, digest: hashToken(aliasText(withToken(alias, bearer))), signal };
}

/** Translates the query to the parameter names of heartbeats. */
export function aliasQuery(system: AliasSystem, query: Values): Values {
  if (system === "gatus") {
    const { success, error: msg, duration } = query;
    if (success !== "true" && success !== "false")
      throw new InvalidInput("success: must be true or false");
    return { status: success === "true" ? "up" : "down", msg, ping: goDuration(duration) };
  }
  if (system === "cronitor") {
    const { message, msg = message, series: rid } = query;
    return { msg, rid };
  }
  if (system === "deadmanssnitch") return { msg: query.m };
  return query;
}

function cronitorSignal(state: unknown): Signal {
  if (state === "run") return "start";
  return state === "fail" ? "fail" : "alive";
}

function goDuration(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const parts = [...percentDecode(value).slice(0, 100).matchAll(DURATION_PART)];
  if (parts.map(([part]) => part).join("") !== value)
    throw new InvalidInput(`duration: must be a time such as 1.5s, not ${value.slice(0, 20)}`);
  return String(
    parts.reduce((ms, [, count, unit]) => ms + Number(count) * (UNIT_MS[unit ?? ""] ?? 0), 0),
  );
}
