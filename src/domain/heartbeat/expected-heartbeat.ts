/** Time during which a check's heartbeats could be received, and the heartbeats received, in ms. */
export interface Reception {
  /** Time of the last heartbeat; -Infinity if unknown. */
  readonly seen: number;
  /** Since when each would have been received: the end of the last interruption, or the last heartbeat. */
  readonly receptiveSince: number;
  /** How long interruptions lasted in all since the last heartbeat. */
  readonly lostMs: number;
}

export interface HeartbeatTimes {
  readonly expectedAfter: (at: number) => number | undefined;
  /** How much later than expected a heartbeat may come. */
  readonly toleratedMs: number;
  /** How long a sender whose heartbeat was refused tries to send it again. */
  readonly sentAgainMs: number;
}

export interface ExpectedHeartbeat {
  readonly expectedAt: number;
  /** Time at which the check becomes overdue. */
  readonly staleAt: number;
}

/**
 * The heartbeat whose absence shows that its sender stopped: whichever comes first of the one that is expected after all interruptions, and of the second
 * one that is expected after the last heartbeat, where the time of all interruptions does not count. An interruption hides one heartbeat, so the
 * second one is missed by its sender; that there were further interruptions does not start the wait again.
 */
export function expectedHeartbeat(
  { seen, receptiveSince, lostMs }: Reception,
  { expectedAfter, toleratedMs, sentAgainMs }: HeartbeatTimes,
): ExpectedHeartbeat | undefined {
  const uninterrupted = expectedAfter(receptiveSince);
  if (uninterrupted === undefined) return undefined;
  const afterAll = {
    expectedAt: uninterrupted,
    staleAt: Math.max(uninterrupted + toleratedMs, receptiveSince + sentAgainMs),
  };
  const first = receptiveSince === seen || seen === -Infinity ? undefined : expectedAfter(seen);
  const second = first && expectedAfter(first);
  if (second === undefined) return afterAll;
  const inAll = {
    expectedAt: second + lostMs,
    staleAt: second + lostMs + toleratedMs + sentAgainMs,
  };
  return inAll.staleAt < afterAll.staleAt ? inAll : afterAll;
}
