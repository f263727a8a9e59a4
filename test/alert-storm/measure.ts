import type { Arrival, StormAlert, StormRecord } from "./storm.ts";
import type { StormReceiver } from "./receivers.ts";

/** How a message mentions a check: by its label; by its host, where several of one host are one line; or as one more. */
type Mention = "named" | "byHost" | "counted";

/** The first message about an alert. */
export interface FirstMessage {
  readonly alert: StormAlert;
  /** Since the verdict. */
  readonly afterMs: number;
  readonly mention: Mention;
  readonly text: string;
}

export interface StormRow extends Readonly<Record<Mention, number>> {
  readonly receiver: StormReceiver;
  readonly kind: string;
  readonly messages: number;
  readonly longestMessage: number;
  readonly firstMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly latestMs: number;
}

/** Counts the messages to each address: a row per kind of alert. */
export function measureStorm(record: StormRecord): readonly StormRow[] {
  return record.receivers.flatMap((receiver) =>
    ["down", "up"].flatMap((kind) => {
      const first = firstMessagesOf(record, receiver, kind);
      if (first.length === 0) return [];
      const waits = first.map(({ afterMs }) => afterMs).toSorted((one, other) => one - other);
      const texts = arrivalsOf(record, receiver, kind).map(({ text }) => text);
      const countOf = (how: Mention): number =>
        first.filter(({ mention }) => mention === how).length;
      return [
        {
          receiver,
          kind,
          messages: texts.length,
          longestMessage: Math.max(...texts.map(({ length }) => length)),
          named: countOf("named"),
          byHost: countOf("byHost"),
          counted: countOf("counted"),
          firstMs: quantile(waits, 0),
          p50Ms: quantile(waits, 0.5),
          p99Ms: quantile(waits, 0.99),
          latestMs: quantile(waits, 1),
        },
      ];
    }),
  );
}

/** Returns the first message to an address that mentions each check. */
export function firstMessagesOf(
  record: StormRecord,
  receiver: StormReceiver,
  kind: string,
): readonly FirstMessage[] {
  const arrivals = arrivalsOf(record, receiver, kind);
  const byMessage = new Map(arrivals.map((arrival) => [arrival.alertId, arrival]));
  return record.alerts
    .filter((alert) => alert.receiver === receiver && alert.kind === kind)
    .flatMap((alert) => {
      const arrival = byMessage.get(alert.bundle ?? alert.id);
      if (arrival === undefined) return [];
      const { at, text } = arrival;
      return [{ alert, afterMs: at - alert.verdictAt, mention: mentionIn(alert, text), text }];
    });
}

/** Mails of diagnostics that follow an alert. */
export function followingMails({ arrivals }: StormRecord): readonly Arrival[] {
  return arrivals.filter(({ alertId }) => alertId === undefined);
}

/** Counts the checks whose diagnostics are in alerts, and in mails after them. */
export function diagnosticsShown(record: StormRecord): {
  readonly inAlerts: number;
  readonly after: number;
} {
  const countIn = (arrivals: readonly Arrival[]): number =>
    arrivals.reduce((sum, { text }) => sum + checksWithDiagnostics(text), 0);
  const following = new Set(followingMails(record));
  return {
    inAlerts: countIn(record.arrivals.filter((arrival) => !following.has(arrival))),
    after: countIn([...following]),
  };
}

/** Returns the checks that a mail shows in groups, individually, and only as a count. */
function checksWithDiagnostics(text: string): number {
  const looked = [...text.matchAll(/^(?:(\d+) checks of .*|.*):\r?\nLooked from /gm)];
  const alone = text.match(/(?<=\n\r?\n)Looked from /g)?.length ?? 0;
  const [, more = "0"] = /^and those of (\d+) more/m.exec(text) ?? [];
  return looked.reduce((sum, [, count = "1"]) => sum + Number(count), 0) + alone + Number(more);
}

function arrivalsOf(
  { arrivals, alerts }: StormRecord,
  receiver: StormReceiver,
  kind: string,
): readonly Arrival[] {
  const ids = new Set(
    alerts.filter((alert) => alert.kind === kind).map(({ id, bundle = id }) => bundle),
  );
  return arrivals.filter(
    ({ receiver: its, alertId }) => its === receiver && alertId !== undefined && ids.has(alertId),
  );
}

function mentionIn({ check, receiver }: StormAlert, text: string): Mention {
  if (text.includes(receiver.nameOf(check))) return "named";
  return text.includes(check.host) ? "byHost" : "counted";
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil((sorted.length - 1) * share)] ?? 0;
}

/** As Markdown, for docs/alerts.md. */
export function stormTable(rows: readonly StormRow[]): string {
  const head = [
    "address",
    "",
    "messages",
    "by name, by host, counted",
    "p50, s",
    "p99, s",
    "latest, s",
    "window, s",
  ];
  const lines = rows.map((row) => [
    row.receiver.name,
    row.kind,
    String(row.messages),
    `${row.named}, ${row.byHost}, ${row.counted}`,
    seconds(row.p50Ms),
    seconds(row.p99Ms),
    seconds(row.latestMs),
    row.receiver.windowMs === 0 ? "at once" : String(row.receiver.windowMs / 1000),
  ]);
  const all = [head, head.map(() => "---"), ...lines];
  return all.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
