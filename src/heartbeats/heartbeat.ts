/** What the address of a heartbeat says: that its sender is alive, that a run of its job begins or has failed, or with which exit code it ended; `log` only brings text. */
export type Signal = "alive" | "start" | "fail" | "log" | number;

export interface Heartbeat {
  readonly id: string;
  readonly token: string;
  readonly signal: Signal;
  /** The metrics; undefined for a simple heartbeat. */
  readonly data: unknown;
  /** In the sender's words. */
  readonly message: string | undefined;
  /** As the sender measured it. */
  readonly runtimeMs: number | undefined;
  /** Distinguishes runs that go on at one time; empty for a sender whose runs do not. */
  readonly runId: string;
  /** What came as text, to be kept with the result. */
  readonly text: () => string | undefined;
}

export type Sender = Pick<Heartbeat, "id" | "token">;
