import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { presenceSubject } from "../../../src/bus/nats/subjects.ts";
import { hostileProbe, type HostileProbe } from "../hostile-probe.ts";
import type { LocationCredentials } from "../locations.ts";
import type { FloodReport } from "./floods.ts";

/** Messages to the NATS server with the credentials of a location. */
export interface MessageFlood {
  readonly kind: "messages";
  readonly name: string;
  readonly location: LocationCredentials;
  readonly perSecond: number;
  /** Beats of ever new probes, or junk as presence and, by turns, as replies. */
  readonly what: "beats" | "junk";
}

const TURN_MS = 20;
/** Nothing that was missed is made up for. */
const MAX_TURNS_AT_ONCE = 5;
const JUNK = Buffer.alloc(20_000, "junk");
/** Buffered data is sent before more is generated. */
const FLUSH_EVERY = 500;

/** Sends until the signal aborts, at no more than its rate. */
export async function floodMessages(
  { name, location, perSecond, what }: MessageFlood,
  signal: AbortSignal,
): Promise<FloodReport> {
  await using probe = await hostileProbe(location);
  const send = what === "beats" ? beatsOf(probe, location.code) : junkOf(probe, location.code);
  let sent = 0;
  let due = 0;
  let slowestMs = 0;
  const began = systemClock.monotonic();
  let before = began;
  while (!signal.aborted) {
    await sleep(systemClock, TURN_MS, signal);
    const now = systemClock.monotonic();
    due += (perSecond * Math.min(now - before, MAX_TURNS_AT_ONCE * TURN_MS)) / 1000;
    before = now;
    for (; due >= 1 && !signal.aborted; due -= 1) {
      send(sent);
      sent += 1;
      if (sent % FLUSH_EVERY > 0) continue;
      const from = systemClock.monotonic();
      await probe.connection.flush();
      slowestMs = Math.max(slowestMs, systemClock.monotonic() - from);
    }
  }
  const wanted = (perSecond * (before - began)) / 1000;
  return { name, sent, share: sent / wanted, answers: {}, slowestMs, mostOpen: 1 };
}

function beatsOf({ connection, beat }: HostileProbe, code: string): (no: number) => void {
  return (no) => connection.publish(presenceSubject(code), beat(`probe ${no}`));
}

/** Where it was asked nothing yet, it knows no subject of replies. */
function junkOf({ connection, replyTo }: HostileProbe, code: string): (no: number) => void {
  return (no) =>
    connection.publish((no % 2 === 1 ? replyTo() : undefined) ?? presenceSubject(code), JUNK);
}
