import type { OutageReport } from "../../domain/system-mail.ts";
import { hostOfTarget } from "../../domain/target.ts";
import { oneLine } from "../format/one-line.ts";
import { instantText } from "../format/times.ts";
import { mailSubject } from "./alert-page.ts";
import { diagnosticsParts } from "./diagnostics-parts.ts";
import { mailPage } from "./layout.ts";

const MAX_NAME_LENGTH = 120;
const MAX_NAMES = 3;
const WORD = "Diagnostics";
/** Gmail shows the first 102 KB of a mail. */
const MAX_BYTES = 85_000;

interface Page {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Following {
  readonly reports: readonly OutageReport[];
  readonly timeZone: string;
  /** Returns the page that shows a check to the mail's recipient. */
  readonly pageUrlOf: (report: OutageReport) => string;
  /** Link to stop these mails. */
  readonly stop: string;
  readonly url: string;
}

/** Renders diagnostics of failing checks, as a mail in the thread of their outages. */
export function diagnosticsPage({ reports, timeZone, pageUrlOf, stop, url }: Following): Page {
  const title = titleOf(reports);
  const [only, ...others] = reports;
  const isOfOne = others.length === 0;
  const button =
    only !== undefined && isOfOne
      ? { text: "Open the check", url: pageUrlOf(only) }
      : { text: "Open the dashboard", url };
  const { text, html, preview } = diagnosticsParts(
    reports.map((report) => ({ ...report, url: pageUrlOf(report) })),
    {
      room: MAX_BYTES,
      timeText: (at) => instantText(at, timeZone),
      isNamed: !isOfOne,
    },
  );
  return {
    subject: mailSubject(WORD, title),
    text: [`${WORD}: ${title}`, ...text, `Open: ${button.url}\n`].join("\n\n"),
    html: mailPage({
      tone: "neutral",
      word: WORD,
      title,
      preview,
      content: html,
      button,
      stop,
    }),
  };
}

/** As the mail that it follows names them, as far as they are in it. */
function titleOf(reports: readonly OutageReport[]): string {
  const byHost = Map.groupBy(reports, ({ target, outage }) => hostOfTarget(target) || outage);
  const groups = [...byHost].toSorted(([, one], [, other]) => other.length - one.length);
  const names = groups.map(([host, some]) =>
    some.length === 1
      ? oneLine(some[0]?.label ?? "", MAX_NAME_LENGTH)
      : `${some.length} checks of ${oneLine(host, MAX_NAME_LENGTH)}`,
  );
  const rest = groups.slice(MAX_NAMES).reduce((sum, [, some]) => sum + some.length, 0);
  return `${names.slice(0, MAX_NAMES).join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}
