/** A request that the service refused; the message is its sentence. */
export class WatchpostError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "WatchpostError";
    this.status = status;
  }

  static of(status: number, body: unknown): WatchpostError {
    return new WatchpostError(status, sentenceIn(body) ?? `the answer has the status ${status}`);
  }
}

function sentenceIn(body: unknown): string | undefined {
  if (typeof body === "object" && body !== null && "error" in body)
    return typeof body.error === "string" ? body.error : undefined;
  if (typeof body !== "string" || body === "") return undefined;
  try {
    return sentenceIn(JSON.parse(body));
  } catch {
    return body;
  }
}
