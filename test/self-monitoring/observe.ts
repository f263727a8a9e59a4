import { z } from "zod";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { paths, type Arrival, type Installation } from "./installation.ts";
import { MAX_SECONDS, ways, type Notice, type Way } from "./verdict.ts";

/** The period and the grace time that the documentation asks of the service behind the switch. */
const SWITCH_RINGS_AFTER_MS = 120_000;
const LOOK_INTERVAL_MS = 1000;
/** To start `doctor` takes a second of CPU. */
const DOCTOR_INTERVAL_MS = 15_000;
/** Longer than it may take, so that the table says how late the others are. */
const WATCH_MS = 1000 * (MAX_SECONDS + 30);

/** The rule for checks that are down: it says nothing about the service. */
const ALERT_OF_CHECKS = "WatchpostCheckDown";
/** Findings of `doctor` about the machine, which many installations share. */
const FINDING_OF_LOAD = /^disk speed:/;

const operatorMessage = z.object({ type: z.string(), check: z.object({ label: z.string() }) });
const alertmanagerMessage = z.object({
  status: z.string(),
  alerts: z.array(z.object({ labels: z.object({ alertname: z.string() }) })),
});

/** Breaks an installation, and watches by which ways that is noticed, and when. */
export async function observe(
  installation: Installation,
  breakIt: () => Promise<unknown>,
): Promise<Partial<Record<Way, Notice>>> {
  const { arrivals, readiness, doctor } = installation;
  const before = new Set(await doctor());
  const brokeAt = systemClock.monotonic();
  await breakIt();
  const notices: Partial<Record<Way, Notice>> = {};
  const note = (way: Way, said: string | undefined, at = systemClock.monotonic()): void => {
    if (said !== undefined) notices[way] ??= { seconds: (at - brokeAt) / 1000, said };
  };
  const isOver = (): boolean =>
    ways.every((way) => notices[way] !== undefined) || systemClock.monotonic() - brokeAt > WATCH_MS;
  const look = async (): Promise<void> => {
    while (!isOver()) {
      for (const arrival of arrivals) {
        if (arrival.at < brokeAt) continue;
        note("operator", operatorSaid(arrival), arrival.at);
        note("alertmanager", alertmanagerSaid(arrival), arrival.at);
      }
      const pinged = arrivals.findLast(({ path }) => path === paths.switch)?.at ?? brokeAt;
      if (systemClock.monotonic() - pinged >= SWITCH_RINGS_AFTER_MS) note("switch", "");
      note("readyz", (await readiness())[0]);
      await sleep(systemClock, LOOK_INTERVAL_MS);
    }
  };
  const examine = async (): Promise<void> => {
    while (!isOver() && notices.doctor === undefined) {
      note(
        "doctor",
        (await doctor()).find((found) => !before.has(found) && !FINDING_OF_LOAD.test(found)),
      );
      await sleep(systemClock, DOCTOR_INTERVAL_MS);
    }
  };
  await Promise.all([look(), examine()]);
  return notices;
}

function operatorSaid({ path, body }: Arrival): string | undefined {
  if (path !== paths.operator) return undefined;
  const { type, check } = operatorMessage.parse(JSON.parse(body));
  return type === "check.down" ? check.label : undefined;
}

function alertmanagerSaid({ path, body }: Arrival): string | undefined {
  if (path !== paths.alertmanager) return undefined;
  const { status, alerts } = alertmanagerMessage.parse(JSON.parse(body));
  const names = alerts.map(({ labels }) => labels.alertname);
  return status === "firing" ? names.find((name) => name !== ALERT_OF_CHECKS) : undefined;
}
