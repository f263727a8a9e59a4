/** The base of every error we throw on purpose. Compare `code`, never the message. */
export abstract class AppError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The request is invalid; the message names the parameter. */
export class InvalidInput extends AppError {
  readonly code = "invalid_input";
}

export class NotFound extends AppError {
  readonly code = "not_found";
}

export class Forbidden extends AppError {
  readonly code = "forbidden";
}

/** The current state of the record does not allow it. */
export class Conflict extends AppError {
  readonly code = "conflict";
}

/** What is meant has been used up, or has expired. */
export class Gone extends AppError {
  readonly code = "gone";
}

/** Another process has what this one needs, until it ends. */
export class InUse extends Conflict {}

export class TooLarge extends AppError {
  readonly code = "too_large";
}

/** A rate limit was exceeded. */
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

/** A temporary failure that is not the caller's, who may retry: nothing was stored, unless the message says that this is not known. */
export class Unavailable extends AppError {
  readonly code = "unavailable";
}

/** The egress policy forbids the address. */
export class Blocked extends AppError {
  readonly code = "blocked";
}

/** How a receiver refused the address: `gone` for good, `refused` this time. */
export type AddressRefusal = "refused" | "gone";

/** A channel could not deliver its message. */
export class DeliveryFailed extends AppError {
  readonly code = "delivery_failed";
  readonly retryable: boolean;
  /** True if the receiver may have accepted the message although no acceptance reached us. */
  readonly mayHaveArrived: boolean;
  readonly retryAfterMs: number | undefined;
  /** True if the receiver was not reached, did not respond, or could not serve anyone: other messages to it would fail too. */
  readonly receiverAway: boolean;
  /** Undefined if the failure is not about the address, but about the network, the message or our settings. */
  readonly address: AddressRefusal | undefined;

  constructor(
    message: string,
    options: ErrorOptions & {
      retryable: boolean;
      mayHaveArrived?: boolean;
      retryAfterMs?: number | undefined;
      receiverAway?: boolean;
      address?: AddressRefusal | undefined;
    },
  ) {
    super(message, options);
    this.retryable = options.retryable;
    this.mayHaveArrived = options.mayHaveArrived ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.receiverAway = options.receiverAway ?? false;
    this.address = options.address;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the `code` of an error of ours, Node.js, or the system; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
