import type { Bus } from "../../bus/bus.ts";
import { durationText } from "../../channels/format/times.ts";
import type { Location, LocationState } from "../../domain/location.ts";
import type { ControllerRole } from "../roles/controller.ts";
import type { ProbeRole } from "../roles/probe.ts";

/** State of locations known to a process: its own by their reports, and remote ones by the runs of all their checks. */
interface Known {
  readonly own: readonly Location[];
  readonly live: readonly Location[];
  readonly probe: Pick<ProbeRole, "health"> | undefined;
  readonly controller: Pick<ControllerRole, "sight"> | undefined;
}

export function locationStates({ own, live, probe, controller }: Known): readonly LocationState[] {
  const ownStates = (probe === undefined ? [] : own).flatMap(
    (location) => probe?.health.stateOf(location) ?? [],
  );
  const others = (controller === undefined ? [] : live).filter(
    ({ code }) => !ownStates.some(({ location }) => location === code),
  );
  return [
    ...ownStates,
    ...others.map(({ code }) => ({ location: code, isOnline: true, resolverAnswers: undefined })),
  ].map((state) => ({
    ...state,
    isOnline: state.isOnline && controller?.sight.isOnline(state.location) !== false,
  }));
}

/** A sentence for each location that cannot judge its targets. */
export function locationTroubles(states: readonly LocationState[]): readonly string[] {
  return states.flatMap(({ location, isOnline, resolverAnswers }) => [
    ...(isOnline ? [] : [`location ${location} seems to be offline`]),
    ...(resolverAnswers === false ? [`the resolver of location ${location} does not answer`] : []),
  ]);
}

/** A sentence for each reason why locations on other machines run no checks. */
export function remoteTroubles({
  troubles,
  gone,
}: Pick<Bus["presence"], "troubles" | "gone">): readonly string[] {
  const isGone = ({ code, seenMsAgo }: ReturnType<typeof gone>[number]): string =>
    `location ${code} runs no checks: it was last seen ${durationText(seenMsAgo)} ago`;
  return [...troubles(), ...gone().map(isGone)];
}
