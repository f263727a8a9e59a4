const CURRENT = "/api/1/sessions/current";

/** Dispatches "ended" when a request is refused because nobody is signed in any more. */
export const sessionEnd = new EventTarget();

let waiting: PromiseWithResolvers<void> | undefined;

/** Sends a request; one that the session ended before is sent again after `resumeRequests`. */
export async function fetchWithSession(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  const isAboutSession = new URL(request.url).pathname === CURRENT;
  if (response.status !== 403 || isAboutSession || !(await hasEnded())) return response;
  waiting ??= Promise.withResolvers();
  sessionEnd.dispatchEvent(new Event("ended"));
  await waiting.promise;
  return fetch(again);
}

/** For when the same person has signed in again. */
export function resumeRequests(): void {
  waiting?.resolve();
  waiting = undefined;
}

/** A forbidden request has the same status. */
async function hasEnded(): Promise<boolean> {
  try {
    return (await fetch(CURRENT)).status === 403;
  } catch {
    // Without an answer the refusal is shown as it is.
    return false;
  }
}
