/** The ways by which somebody learns of a problem; the first three come to people by themselves. */
export const ways = ["operator", "alertmanager", "switch", "readyz", "doctor"] as const;
export type Way = (typeof ways)[number];

/** Ways that reach people who look at nothing. */
const active: ReadonlySet<Way> = new Set(["operator", "alertmanager", "switch"]);

const headings: Readonly<Record<Way, string>> = {
  operator: "operator's channel",
  alertmanager: "Alertmanager",
  switch: "dead man's switch",
  readyz: "/readyz",
  doctor: "doctor",
};

export const MAX_SECONDS = 120;

export interface Notice {
  /** Seconds after the fault. */
  readonly seconds: number;
  /** Names what was reported, such as the alert of a rule. */
  readonly said: string;
}

export interface Observed {
  readonly cause: string;
  readonly notices: Readonly<Partial<Record<Way, Notice>>>;
}

/** The causes that reached nobody in time. */
export function unnoticed(all: readonly Observed[]): readonly string[] {
  return all
    .filter(({ notices }) => !ways.some((way) => active.has(way) && isInTime(notices[way])))
    .map(({ cause }) => cause);
}

export function tableOf(all: readonly Observed[]): string {
  const rows = [
    ["cause", ...ways.map((way) => headings[way])],
    ["---", ...ways.map(() => "---")],
    ...all.map(({ cause, notices }) => [cause, ...ways.map((way) => cellOf(notices[way]))]),
  ];
  return rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function cellOf(notice: Notice | undefined): string {
  if (notice === undefined) return "–";
  const { seconds, said } = notice;
  return `${Math.round(seconds)} s${said === "" ? "" : ` (${said})`}`;
}

function isInTime(notice: Notice | undefined): boolean {
  return notice !== undefined && notice.seconds <= MAX_SECONDS;
}
