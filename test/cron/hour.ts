import { start, temporaryFolder, type RunningInstallation } from "../e2e/process.ts";
import { runCrontab, type Entry } from "./crontab.ts";
import { expectedResults, type Expected } from "./expected.ts";
import { differences, type Shown } from "./judge.ts";
import type { Line } from "./lines.ts";
import { flakyRelay } from "./relay.ts";
import { movedClock, programTime, realTime } from "./time.ts";

const MINUTE_MS = 60_000;
/** A minute, and the interval between inspections of many checks that become overdue together and are held for half a minute. */
const NOTICED_WITHIN_MS = 90_000;

export interface Reported {
  readonly line: Line;
  readonly runs: number;
  readonly results: readonly Shown[];
  readonly expected: readonly Expected[];
  readonly differences: readonly string[];
}

interface Wanted {
  readonly lines: readonly Line[];
  readonly minutes: number;
  /** Whether real time is used. */
  readonly isReal: boolean;
}

/** Runs the lines against the real process, and compares what it found with what they did. */
export async function runHour({ lines, minutes, isReal }: Wanted): Promise<readonly Reported[]> {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path, isReal ? {} : movedClock(folder.path));
  await using relay = await flakyRelay(site.base);
  using moved = isReal ? undefined : await programTime(folder.path);
  const time = moved ?? realTime;
  const entries: Entry[] = [];
  const ids = new Map<Line, string>();
  for (const line of lines) {
    const { id, checktoken } = await addCheck(site, {
      cron: line.cron,
      ...line.check,
      ...("interval" in line.check && { cron: "" }),
    });
    const base = line.isFlaky === true ? `http://127.0.0.1:${relay.port}` : site.base;
    ids.set(line, id);
    entries.push({
      line,
      environment: {
        URL: `${base}/v1/${id}/${checktoken}`,
        OLD: `${base}/v1?id=${id}&checktoken=${checktoken}`,
      },
    });
  }
  const settle = await createSettle(site);
  const from = Math.ceil(time.now() / MINUTE_MS) * MINUTE_MS;
  const until = from + minutes * MINUTE_MS;
  const ran = await runCrontab(entries, folder.path, { time, from, minutes, settle });
  const realMs = time.passedMs();
  const reported: Reported[] = [];
  for (const line of lines) {
    const shown: readonly Shown[] = await site.api(
      `GET results/${ids.get(line)}?clean=true&limit=1000&detail=true`,
    );
    const { state, lastresult } = await site.api(`GET checks/${ids.get(line)}?lastresult=1`);
    const results = shown.filter(({ s }) => s <= until).toReversed();
    const expected = settled(expectedResults(line, ran.get(line) ?? [], until), results, until);
    reported.push({
      line,
      runs: ran.get(line)?.length ?? 0,
      results,
      expected,
      differences: [
        ...differences(expected, results, { realMs, noticedMs: NOTICED_WITHIN_MS }),
        ...(state === Number(lastresult.su)
          ? []
          : [`the state is ${state}, not that of its result`]),
      ],
    });
  }
  return reported;
}

/** An event just before the end may not have been noticed yet. */
function settled(
  expected: readonly Expected[],
  results: readonly Shown[],
  until: number,
): readonly Expected[] {
  const last = expected.at(-1);
  const isOpen = last?.isNoticed === true && last.at > until - NOTICED_WITHIN_MS;
  return isOpen && results.length < expected.length ? expected.slice(0, -1) : expected;
}

async function addCheck(
  site: RunningInstallation,
  parameters: object,
): Promise<{ readonly id: string; readonly checktoken: string }> {
  const { _id: id, parameters: own } = await site.api("POST checks", {
    type: "PUSH",
    enabled: true,
    ...parameters,
  });
  return { id, checktoken: own.checktoken };
}

/** A heartbeat that is acknowledged is stored, and with it what the process found before. */
async function createSettle(site: RunningInstallation): Promise<() => Promise<void>> {
  const { id, checktoken } = await addCheck(site, { label: "settles" });
  return async () => void (await site.push(id, checktoken));
}
