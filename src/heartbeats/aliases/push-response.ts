/** The answer to a heartbeat. */
export interface PushResponse {
  readonly status: number;
  readonly body: string;
  /** JSON unless it is. */
  readonly isText?: boolean;
  /** Whether there is no check with what was sent as its secret. */
  readonly isUnknown?: boolean;
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
