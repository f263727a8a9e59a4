import type { Account } from "../../domain/account/account.ts";
import { TooLarge } from "../../kit/errors.ts";
import type { Store } from "../../store/store.ts";
import type { ApiDeps } from "../deps.ts";
import { streamText, type JsonStream } from "../http/responses/json-stream.ts";
import { heartbeatTypes } from "../resources/statuses/status-response.ts";
import { families, type Family } from "./families.ts";
import { measure, type MeasuredCheck } from "./measured-check.ts";

type Deps = Pick<ApiDeps, "clock"> & {
  readonly store: {
    readonly checks: Pick<Store["checks"], "listStatuses">;
    readonly evidence: Pick<Store["evidence"], "latestCertificates">;
  };
};

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
/** Some 20 MB of memory until they are sent. */
const MAX_CHECKS = 20_000;
/** Some milliseconds. */
const CHECKS_A_PIECE = 1000;

/** The metrics of every check of the accounts, in the text format of Prometheus. */
export async function checkMetrics(
  deps: Deps,
  accounts: readonly Pick<Account, "id" | "timeZone">[],
  maxChecks = MAX_CHECKS,
): Promise<JsonStream> {
  const checks: MeasuredCheck[] = [];
  for (const account of accounts)
    for await (const page of measuredPages(deps, account)) {
      checks.push(...page);
      if (checks.length > maxChecks)
        throw new TooLarge(
          `more than ${maxChecks} checks: send customerid, and ask for one account at a time`,
        );
    }
  return streamText(lines(checks), CONTENT_TYPE);
}

async function* measuredPages(
  { store, clock }: Deps,
  account: Pick<Account, "id" | "timeZone">,
): AsyncIterable<readonly MeasuredCheck[]> {
  const query = { parametersOf: heartbeatTypes };
  for await (const page of store.checks.listStatuses(account.id, query)) {
    const certificates = await store.evidence.latestCertificates(page.map(({ no }) => no));
    const now = clock.now();
    yield page.map((check) =>
      measure(check, { account, now, certificates: certificates.get(check.no) ?? [] }),
    );
  }
}

/** All samples of a metric are consecutive, as the format requires. */
async function* lines(checks: readonly MeasuredCheck[]): AsyncIterable<string> {
  for (const family of families) {
    const { name, help } = family;
    yield `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
    for (let from = 0; from < checks.length; from += CHECKS_A_PIECE)
      yield checks
        .slice(from, from + CHECKS_A_PIECE)
        .map((check) => linesOf(family, check))
        .join("");
  }
}

function linesOf({ name, samples }: Family, check: MeasuredCheck): string {
  return samples(check)
    .map(([value, more]) => {
      const labels = more === undefined ? check.labels : `${check.labels},${more}`;
      return `${name}{${labels}} ${value}\n`;
    })
    .join("");
}
