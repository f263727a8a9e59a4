import { AppError } from "./errors.ts";

/** The server answered, but not in its protocol. */
export class BadAnswer extends AppError {
  readonly code = "bad_answer";
  /** What it answered instead, where that is known. */
  readonly heard: Uint8Array | undefined;

  constructor(message: string, { heard, ...options }: ErrorOptions & { heard?: Uint8Array } = {}) {
    super(message, options);
    this.heard = heard;
  }
}
