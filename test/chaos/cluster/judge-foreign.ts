import type { Finding } from "../judges/judge-states.ts";

/** Locations by their codes, each with its region, which is `wlw` where it counts for every region. */
type Regions = Readonly<Record<string, string>>;

interface Foreign {
  readonly output: () => string;
}

/** Whether a foreign probe received what belongs to another location, or is live as a location or in a region that is not its own. */
export function judgeForeign(
  foreign: readonly Foreign[],
  { live, known }: { readonly live: Regions; readonly known: Regions },
): readonly Finding[] {
  const strange = Object.entries(live).flatMap(([code, region]) => {
    if (!Object.hasOwn(known, code)) return [`is live as ${code}`];
    return region === known[code] ? [] : [`is live as ${code} in ${region}`];
  });
  const lines = foreign.flatMap(({ output }) => output().split("\n"));
  const received = lines.filter((line) => line.startsWith("received"));
  return [...strange, ...new Set(received)].map((what) => ({
    kind: "intruded",
    about: "a foreign probe",
    at: Infinity,
    what,
  }));
}

/** How many messages foreign probes sent, by what they printed. */
export function sentBy(foreign: readonly Foreign[]): number {
  return foreign.reduce((sum, { output }) => {
    const [, last = "0"] = /^sent (\d+)$(?![^]*^sent )/m.exec(output()) ?? [];
    return sum + Number(last);
  }, 0);
}
