import { inspect } from "node:util";

const REDACTED = "[redacted]";

/** A value that logs, JSON and inspection show as `[redacted]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    // guard: secrets in the log = this.#value
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
