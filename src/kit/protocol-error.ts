import { AppError } from "./errors.ts";

/** The server answered, but not in its protocol. */
export class ProtocolError extends AppError {
  readonly code = "protocol_error";
  /** What it answered instead, where that is known. */
  readonly received: Uint8Array | undefined;

  constructor(
    message: string,
    { received, ...options }: ErrorOptions & { received?: Uint8Array } = {},
  ) {
    super(message, options);
    this.received = received;
  }
}
