/** Signal in the address of a heartbeat: the sender is alive, a run of its job started or failed, or its exit code. `log` only carries text. */
export type Signal = "alive" | "start" | "fail" | "log" | number;

export interface Heartbeat {
  readonly id: string;
  readonly token: string;
  readonly signal: Signal;
  /** The metrics; undefined for a simple heartbeat. */
  readonly data: unknown;
  /** Message of the sender. */
  readonly message: string | undefined;
  /** Duration measured by the sender. */
  readonly runtimeMs: number | undefined;
  /** Distinguishes concurrent runs; empty for a sender without them. */
  readonly runId: string;
  /** Text of the request, stored with the result. */
  readonly text: () => string | undefined;
}

export type Sender = Pick<Heartbeat, "id" | "token">;
