interface Options {
  /** How often a request is sent again at most. */
  readonly retries: number;
  readonly fetch: typeof globalThis.fetch;
}

const MAX_WAIT_SECONDS = 60;
/** Method that may already have taken effect despite an unavailable response. */
const UNSAFE = "POST";

/** Sends a request again that was refused for now, once the time is over that the service asks for. */
export function retryingFetch({
  retries,
  fetch,
}: Options): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let left = retries; ; left -= 1) {
      // A body can be read once.
      const response = await fetch(request.clone());
      const waitSeconds = waitOf(request, response);
      if (waitSeconds === undefined || left === 0) return response;
      await response.body?.cancel();
      await wait(waitSeconds * 1000, request.signal);
    }
  };
}

function waitOf({ method }: Request, { status, headers }: Response): number | undefined {
  const isRefused = status === 429 || (status === 503 && method !== UNSAFE);
  const seconds = Number(headers.get("retry-after") ?? "1");
  return isRefused && seconds <= MAX_WAIT_SECONDS ? seconds : undefined;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}
