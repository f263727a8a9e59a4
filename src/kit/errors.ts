/** The base of every error we throw on purpose. Compare `code`, never the message. */
export abstract class AppError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What the caller sent cannot be taken; the message names the parameter. */
export class InvalidInput extends AppError {
  readonly code = "invalid_input";
}

export class NotFound extends AppError {
  readonly code = "not_found";
}

export class Forbidden extends AppError {
  readonly code = "forbidden";
}

/** The state of the record does not allow it now. */
export class Conflict extends AppError {
  readonly code = "conflict";
}

export class TooLarge extends AppError {
  readonly code = "too_large";
}

/** Asked for more often than is allowed. */
export class TooManyRequests extends AppError {
  readonly code = "too_many";
  readonly retryAfterSeconds: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    message: string,
    retryAfterSeconds: number,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = headers;
  }
}

/** We cannot do it now, through no fault of the caller's: nothing was kept, ask again. */
export class Unavailable extends AppError {
  readonly code = "unavailable";
}

/** The egress policy does not let us dial that address. */
export class Blocked extends AppError {
  readonly code = "blocked";
}

/** What a refusal says of the address itself: `gone` will never be told anything as it is, `refused` was not taken this time. */
export type AddressRefusal = "refused" | "gone";

/** A channel could not hand its message over. */
export class DeliveryFailed extends AppError {
  readonly code = "delivery_failed";
  readonly retryable: boolean;
  /** True where the receiver may have taken the message although no acceptance reached us. */
  readonly mayHaveArrived: boolean;
  readonly retryAfterMs: number | undefined;
  /** Undefined where the failure speaks of anything else: of the way there, of the message, or of our own settings. */
  readonly address: AddressRefusal | undefined;

  constructor(
    message: string,
    options: ErrorOptions & {
      retryable: boolean;
      mayHaveArrived?: boolean;
      retryAfterMs?: number | undefined;
      address?: AddressRefusal | undefined;
    },
  ) {
    super(message, options);
    this.retryable = options.retryable;
    this.mayHaveArrived = options.mayHaveArrived ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.address = options.address;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of an error from us, Node or the system; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
