import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { Interval } from "../chaos/judges/timeline.ts";
import type { RunningInstallation } from "../e2e/process.ts";
import type { Client } from "./client.ts";
import type { StoredTick } from "./histories.ts";
import type { Honest } from "./honest.ts";
import {
  judgeAlerts,
  judgeHeartbeats,
  judgeTicks,
  type Finding,
  type Limits,
} from "./judge-honest.ts";
import type { ProcessFinding } from "./judge-process.ts";

/** All that is known of what the honest got. */
export interface Story {
  readonly honest: Pick<Honest, "checks" | "hooks">;
  readonly histories: ReadonlyMap<string, readonly StoredTick[]>;
  /** When the attacks began and ended, and when the histories were read. */
  readonly began: number;
  readonly until: number;
  readonly readAt: number;
  readonly blurred: readonly Interval[];
}

/** Returns the harm to honest users. */
export function judgeHonest(story: Story, limits: Limits): readonly Finding[] {
  const { honest, histories, began: since, until, blurred } = story;
  const states = honest.checks.flatMap(({ id: about, target, beats }) => {
    const ticks = histories.get(about) ?? [];
    return target === undefined
      ? judgeHeartbeats({ about, ticks, beats, until })
      : judgeTicks({ about, ticks, since, until, truths: target.truths, blurred }, limits);
  });
  return [...states, ...judgeAllAlerts(story, limits)];
}

function judgeAllAlerts(
  { honest: { checks, hooks }, histories, began: since, readAt }: Story,
  limits: Limits,
): readonly Finding[] {
  return checks
    .filter(({ path }) => path !== "")
    .flatMap(({ id: about, path }) => {
      const ticks = histories.get(about) ?? [];
      const known = new Set(ticks.map(({ id }) => id));
      const receipts = hooks
        .receipts(path)
        .filter(({ at, result }) => at <= readAt || known.has(result));
      return judgeAlerts({ about, ticks, since, receipts }, limits);
    });
}

const LOOK_MS = 100;

/** Waits until all that changed is alerted, for as long as that may take. */
export async function alertedOrLate(story: Story, limits: Limits): Promise<void> {
  const end = story.readAt + limits.alertLateMs;
  const isOpen = (): boolean =>
    judgeAllAlerts(story, limits).some(({ harm }) => harm === "lostAlert");
  while (systemClock.monotonic() < end && isOpen()) await sleep(systemClock, LOOK_MS);
}

/** Whether the process that began is the one that answers, and is ready. */
export async function judgeEnd(
  site: RunningInstallation,
  { client, ended }: { readonly client: Client; readonly ended: number | string | void },
): Promise<readonly ProcessFinding[]> {
  const about = "the process";
  if (ended !== undefined)
    return [{ harm: "ended", about, what: `${ended}: ${site.log().slice(-2000)}` }];
  const { status, body } = await client.send({ path: "/readyz" });
  return status === 200 ? [] : [{ harm: "unready", about, what: `${status} ${body}` }];
}
