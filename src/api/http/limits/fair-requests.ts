import type { Clock } from "../../../kit/clock.ts";
import { createGate } from "../../../kit/concurrency/gate.ts";
import type { ResponseBody } from "../../operation.ts";
import { isJsonStream } from "../responses/json-stream.ts";

/** Requests in progress, which accounts share: an account has as many as it leaves for all others. */
export interface FairRequests {
  /** Works when it is the account's turn. Rejects with Unavailable where that does not come in time. */
  readonly run: (accountId: string, work: () => Promise<ResponseBody>) => Promise<ResponseBody>;
}

/** Room for 128 clients of one account, whose writes share commits. */
const REQUESTS = {
  most: 256,
  mostWaiting: 1024,
  maxWaitMs: 10_000,
  refusal: "too many requests of this account are in progress",
};
/** One piece of a long response in some turns of the event loop: a page of a list, which takes some 10 ms, beside whatever else there is to do in each of them. */
const PIECES = {
  most: 1,
  mostWaiting: Infinity,
  maxWaitMs: 60_000,
  refusal: "too many long responses are in progress",
  turnsBetween: 4,
};

export function createFairRequests(clock: Clock): FairRequests {
  const requests = createGate(clock, REQUESTS);
  const gate = createGate(clock, PIECES);

  /** Accounts take turns for the pieces of a long response. */
  const inTurns = (accountId: string, body: ResponseBody): ResponseBody => {
    if (!isJsonStream(body)) return body;
    const source = body[Symbol.asyncIterator]();
    let pieces = 0;
    // Whoever closes its side after a request gets no more than is sent until that is seen: a list of one piece goes at once.
    const nextPiece = (): Promise<IteratorResult<string>> => {
      pieces += 1;
      return gate.run(
        /* guard: pieces of long responses = "" */ accountId,
        () => source.next(),
        pieces === 1 ? "brief" : undefined,
      );
    };
    return {
      ...body,
      [Symbol.asyncIterator]: () => ({
        next: nextPiece,
        return: async () => {
          await source.return?.();
          return { done: true, value: undefined };
        },
      }),
    };
  };

  return {
    run: (accountId, work) =>
      requests.run(/* guard: requests of an account in progress = "" */ accountId, async () =>
        inTurns(accountId, await work()),
      ),
  };
}
