import { AppError } from "./errors.ts";

/** The server violated its protocol. */
export class ProtocolError extends AppError {
  readonly code = "protocol_error";
  /** The bytes it sent instead, if known. */
  readonly received: Uint8Array | undefined;

  constructor(
    message: string,
    { received, ...options }: ErrorOptions & { received?: Uint8Array } = {},
  ) {
    super(message, options);
    this.received = received;
  }
}
