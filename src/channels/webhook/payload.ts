import { daysLeft } from "../../domain/run/outcome.ts";
import type { AlertContext, Digest } from "../channel.ts";
import { dashboardUrlOf, lateReasonOf, stateWords } from "../format/alert-text.ts";
import { outageKeyOf } from "../format/outage-key.ts";

const SCHEMA_VERSION = 1;

/** Several alerts: of each what it would be on its own. */
export function digestPayloadOf(
  { alert: { id }, url }: AlertContext,
  { alerts }: Digest,
): Readonly<Record<string, unknown>> {
  const [{ alert }] = alerts;
  return {
    schema_version: SCHEMA_VERSION,
    id,
    type: "checks.first",
    created_at: alert.createdAt,
    account: alert.notice.account,
    alerts: alerts.map(payloadOf),
    links: { installation: url },
  };
}

/** Payload that webhook receivers rely on: the same bytes on every attempt, and only additions within a version. */
export function payloadOf({
  alert,
  kind,
  url,
  acknowledgeUrl,
  pageUrl,
}: AlertContext): Readonly<Record<string, unknown>> {
  const { account, check, state, previous, since, downForMs, result, confirmations } = alert.notice;
  return {
    schema_version: SCHEMA_VERSION,
    id: alert.id,
    type: `check.${kind}`,
    created_at: alert.createdAt,
    account,
    check: {
      id: check.id,
      label: check.label,
      type: check.type,
      target: check.target,
      interval: check.intervalMinutes,
    },
    state: {
      now: stateWords[state],
      previous: previous === undefined ? null : stateWords[previous],
      since,
      duration_ms: downForMs ?? null,
    },
    result: {
      id: result.id,
      s: result.startedAt,
      e: result.endedAt,
      rt: result.runtimeMs,
      sc: result.text,
      m: result.message,
      evidence: result.evidence ?? null,
      certificate:
        result.certificate === undefined
          ? null
          : {
              subject: result.certificate.subject,
              issuer: result.certificate.issuer,
              valid_to: result.certificate.validTo,
              days_left: daysLeft(result.certificate, result.startedAt),
            },
    },
    confirmations: confirmations.map(({ location, at, passed, message }) => ({
      location,
      at,
      ok: passed,
      message,
    })),
    dedup_key: outageKeyOf(alert.notice) ?? null,
    reminder: kind === "reminder" ? (alert.number ?? null) : null,
    acknowledgement: alert.notice.acknowledgement ?? null,
    late: kind === "missed" ? "over_before_delivered" : (lateReasonOf({ kind, alert }) ?? null),
    links: {
      installation: url,
      check: kind === "test" ? null : dashboardUrlOf({ alert, url }),
      page: pageUrl ?? null,
      acknowledge: acknowledgeUrl ?? null,
    },
  };
}
