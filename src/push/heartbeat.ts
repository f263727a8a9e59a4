import type { Signal } from "./heartbeat-route.ts";

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
