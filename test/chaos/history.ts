import type { ChangedAccount, ChangedCheck, StormCheck } from "./accounts.ts";
import type { Installation } from "./installation.ts";
import type { Receipt } from "./judges/judge-alerts.ts";
import type { Finding } from "./judges/judge-states.ts";

interface Line {
  readonly at: number;
  readonly text: string;
}

const BEFORE_MS = 200_000;
const AFTER_MS = 15_000;

interface Story {
  readonly accounts: readonly ChangedAccount[];
  readonly plain: readonly StormCheck[];
  readonly around: Pick<Installation, "lost">;
  readonly began: number;
}

/** For people: what went wrong with each check, and what happened to it before. */
export function historiesOf(findings: readonly Finding[], story: Story): readonly string[] {
  // Without the address: a finding is about a check, or about a check at an address.
  const concerned = Map.groupBy(findings, ({ about }) => about.split(" ")[0] ?? "");
  return [...concerned].map(([id, own]) => {
    const said = own.map(({ kind, about, at, what }) => {
      const when = Number.isFinite(at) ? `${seconds(at - story.began)} s` : "the end";
      return `${kind}: ${about} at ${when}: ${what}`;
    });
    const first = Math.min(...own.map(({ at }) => at));
    return [...said, ...happened(id, first, story)].join("\n");
  });
}

function happened(
  id: string,
  at: number,
  { accounts, plain, around, began }: Story,
): readonly string[] {
  const account = accounts.find(({ checks }) => checks.some((check) => check.id === id));
  const changed = account?.checks.find((check) => check.id === id);
  const check = changed ?? plain.find((one) => one.id === id);
  const lines = [
    ...around.lost.map(({ what, from, to }) => ({
      at: from,
      text: `${what} for ${seconds(to - from)} s`,
    })),
    ...(check === undefined ? [] : linesOf(check)),
    ...(changed === undefined ? [] : changesOf(changed)),
    ...(account === undefined || check === undefined ? [] : receiptsOf(account, check)),
  ];
  const isShown = (line: Line): boolean =>
    !Number.isFinite(at) || (line.at > at - BEFORE_MS && line.at < at + AFTER_MS);
  return lines
    .filter(isShown)
    .toSorted((one, other) => one.at - other.at)
    .map((line) => `  ${seconds(line.at - began)} ${line.text}`);
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function linesOf({ target, beats, observations }: StormCheck): readonly Line[] {
  const seen = observations.filter(({ isUp }, index) => isUp !== observations[index - 1]?.isUp);
  return [
    ...(target?.truths ?? []).map(({ at, isUp }) => ({
      at,
      text: `target ${isUp ? "up" : "down"}`,
    })),
    ...beats.map(({ from, to, isPassing, outcome }) => ({
      at: from,
      text: `heartbeat ${isPassing ? "passes" : "fails"}, ${outcome} after ${seconds(to - from)} s`,
    })),
    ...seen.map(({ to, isUp }) => ({ at: to, text: `the API says ${String(isUp)}` })),
  ];
}

function changesOf({ inactive, muted, edited, acknowledged }: ChangedCheck): readonly Line[] {
  return [...inactive, ...muted, ...edited, ...acknowledged].flatMap(({ what, begun, ended }) => [
    { at: begun.from, text: `${what} (acknowledged after ${seconds(begun.to - begun.from)} s)` },
    ...(ended === undefined
      ? []
      : [
          {
            at: ended.from,
            text: `no longer ${what} (acknowledged after ${seconds(ended.to - ended.from)} s)`,
          },
        ]),
  ]);
}

function receiptsOf(
  { prompt, delayed, reminded, gate, rough, silent, members }: ChangedAccount,
  { id }: StormCheck,
): readonly Line[] {
  return [prompt, delayed, reminded, gate, rough, ...silent, ...members].flatMap(
    ({ path, server }) =>
      server
        .receipts(path)
        .filter(({ check }) => check === id)
        .map((receipt) => ({
          at: receipt.at,
          text: `${path} ${wordOf(receipt)} ${receipt.id} of ${receipt.outage}, ${receipt.answer}`,
        })),
  );
}

function wordOf({ isUp, isMissed, reminder, isAcknowledgement }: Receipt): string {
  if (reminder !== undefined) return `reminder ${reminder}`;
  if (isAcknowledgement === true) return "acknowledged";
  if (isMissed === true) return "missed";
  return isUp ? "Up" : "Down";
}
