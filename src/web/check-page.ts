import { durationText, localText } from "../channels/format/times.ts";

import type { PageLinks } from "../channels/page-links.ts";
import { isSwitchedOn } from "../domain/check.ts";
import { overlaps, uptime, type Span } from "../domain/span.ts";
import type { Clock } from "../kit/clock.ts";
import { html } from "../kit/html.ts";
import { redactionFor } from "../redaction/redaction.ts";
import { knownSpans } from "../store/known-spans.ts";
import type { StoredResult } from "../store/results.ts";
import type { Store } from "../store/store.ts";
import type { CheckRecord } from "../store/tables/checks.ts";
import { forLinkedAddress, linkPage, type LinkPage, type LinkPages } from "./link-page.ts";
import { pageHeaders } from "./pages.ts";

interface Deps {
  readonly store: Pick<
    Store,
    "accounts" | "checks" | "contacts" | "evidence" | "importedHistories" | "results" | "states"
  >;
  readonly pageLinks: Pick<PageLinks, "verify">;
  readonly clock: Pick<Clock, "now">;
}

const DAY_MS = 86_400_000;
const UPTIME_DAYS = 30;
const MAX_RESULTS = 20;
/** Only the first failure of an outage, and the newest, keep what the target answered. */
const MAX_EVIDENCE = 2;
/** A link is easily passed on: its readers are shown what a contact with the role view is. */
const redaction = redactionFor("view");

/** Shows the check of an alert to its recipient: read-only, even for POST requests. */
export function createCheckPage({ store, pageLinks, clock }: Deps): LinkPages {
  const show = forLinkedAddress({ store, links: pageLinks }, async (linked) => {
    const { accountId, about, until = 0 } = linked;
    const now = clock.now();
    if (until <= now) return privatePage(linkPage(410, html`<p>This link has expired.</p>`));
    const account = await store.accounts.find(accountId);
    const found =
      account?.status === "active" && about !== undefined
        ? await store.checks.find(accountId, about.checkId)
        : undefined;
    if (account === undefined || about === undefined || found === undefined)
      return privatePage(linkPage(404, html`<p>The check that this link is about is gone.</p>`));
    const view = await viewOf(store, { found, at: about.at, now });
    return privatePage(render({ ...view, found, timeZone: account.timeZone, now }));
  });
  return { ask: show, act: show };
}

interface View {
  readonly outage: Span | undefined;
  /** Undefined if nothing was measured. */
  readonly percent: number | undefined;
  readonly results: readonly StoredResult[];
  readonly evidence: readonly { readonly startedAt: number; readonly text: string }[];
}

async function viewOf(
  { states, results, evidence, importedHistories }: Deps["store"],
  { found, at, now }: { readonly found: CheckRecord; readonly at: number; readonly now: number },
): Promise<View> {
  const { no } = found.check;
  const from = now - UPTIME_DAYS * DAY_MS;
  const [{ enabled, measured, down }, [outage]] = await Promise.all([
    knownSpans({ states, importedHistories }, no, [from, now]),
    states.listDownSpans(no, at, at + 1),
  ]);
  const end = outage?.end ?? now;
  const recent: StoredResult[] = [];
  const query = { checkNo: no, from: 0, to: now, limit: MAX_RESULTS, order: "newest" } as const;
  for await (const page of results.page(query)) recent.push(...page);
  const seen =
    outage === undefined ? [] : await evidence.list({ checkNo: no, from: outage.start, to: end });
  const total = uptime({ enabled, measured, down, from, to: now, period: "months" }).get("total");
  return {
    outage: outage !== undefined && overlaps(outage, [at, at + 1]) ? outage : undefined,
    percent: total?.percent,
    results: recent.slice(0, MAX_RESULTS),
    evidence: seen.slice(0, MAX_EVIDENCE),
  };
}

interface Shown extends View {
  readonly found: CheckRecord;
  readonly timeZone: string;
  readonly now: number;
}

function render(shown: Shown): LinkPage {
  const { found, timeZone, results, evidence } = shown;
  const { check } = found;
  const foundText = redaction.foundBy(check);
  const name = check.label || check.id;
  const [word, tone] = stateOf(found);
  const answers = evidence.map(
    ({ startedAt, text }) =>
      html`<h2>It answered at ${localText(startedAt, timeZone)}</h2>
        <pre>${foundText(text)}</pre>`,
  );
  const rows = results.map(
    ({ startedAt, location, passed, text, message, runtimeMs }) =>
      html`<tr class="${passed ? "passing" : "failing"}">
        <td>${passed ? "▲ up" : "▼ down"}</td>
        <td>${localText(startedAt, timeZone)}</td>
        <td>${location}</td>
        <td>${runtimeMs} ms</td>
        <td>${foundText(passed ? text : message)}</td>
      </tr>`,
  );
  return linkPage(
    200,
    html`<article class="check-page">
      <header class="${tone}">
        <p>${word}</p>
        <h2>${name}</h2>
      </header>
      <dl>
        ${factsOf(shown).map(
          ([term, value]) =>
            html`<dt>${term}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
      ${answers}
      <h2>Recent results</h2>
      <div class="scroll">
        <table>
          ${rows}
        </table>
      </div>
    </article>`,
  );
}

function stateOf({ check, state }: CheckRecord): readonly [word: string, tone: string] {
  if (!isSwitchedOn(check)) return ["● OFF", "neutral"];
  if (state.state === undefined) return ["● NO RESULT YET", "neutral"];
  return state.state === "failing" ? ["▼ DOWN", "failing"] : ["▲ UP", "passing"];
}

function factsOf({
  found,
  outage,
  percent,
  timeZone,
  now,
}: Shown): readonly (readonly [string, string])[] {
  const { check } = found;
  const target =
    typeof check.parameters.target === "string" ? redaction.target(check.parameters.target) : "";
  const name = check.label || check.id;
  const facts: readonly (readonly [string, string])[] = [
    ["Went down", outage === undefined ? "" : localText(outage.start, timeZone)],
    ["Up since", outage?.end === undefined ? "" : localText(outage.end, timeZone)],
    ["Down for", outage === undefined ? "" : durationText((outage.end ?? now) - outage.start)],
    [`Uptime, ${UPTIME_DAYS} days`, percent === undefined ? "No data" : `${percent}%`],
    ["Target", target === name ? "" : target],
    ["Check", check.type],
    ["Description", check.description],
  ];
  return facts.filter(([, value]) => value !== "");
}

/** Protects a page whose link is its only credential: search engines must not list it, and no scripts run in it. */
function privatePage(page: LinkPage): LinkPage {
  return {
    ...page,
    headers: {
      ...page.headers,
      "content-security-policy": pageHeaders["content-security-policy"]
        .replace("script-src 'self'", "script-src 'none'")
        .replace("connect-src 'self'", "connect-src 'none'"),
      "x-robots-tag": "noindex, nofollow",
      "cache-control": "no-store",
    },
  };
}
