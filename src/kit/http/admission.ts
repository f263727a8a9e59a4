import type { IncomingMessage, ServerResponse } from "node:http";

import type { Clock } from "../clock.ts";
import { oneProcess, type Processes } from "../concurrency/process-share.ts";
import { TooManyRequests } from "../errors.ts";
import { createBodyMemory, type BodyMemory, type BodyShare } from "./body-memory.ts";
import { createClientAddresses, type ClientAddresses } from "./client-address.ts";
import { createMinuteBudget } from "./minute-budget.ts";
import {
  announcedBytes,
  hasBody,
  readBody,
  SMALL_BODY_BYTES,
  type KeptEnd,
  type ReceivedBytes,
} from "./read-body.ts";

/** Reads bodies of those who have shown who they are, and few of those who have not; shared by everything that takes bodies. */
export interface Admission extends ClientAddresses {
  /** Throws TooManyRequests, TooLarge, Unavailable or InvalidInput; the connection then ends with the response. */
  readonly readBody: (
    request: IncomingMessage,
    response: ServerResponse,
    sender: Sender,
  ) => Promise<ReceivedBody>;
  /** Counts a token that does not exist; TooManyRequests where the client has sent too many. */
  readonly countUnknown: (client: string) => TooManyRequests | undefined;
}

interface Sender {
  readonly limitBytes: number;
  /** Whether only the end of a longer body is kept. */
  readonly end?: KeptEnd;
  /** Whether the request has shown a token that exists, outside its body. */
  readonly isKnown: boolean;
}

export interface ReceivedBody extends ReceivedBytes {
  /** Returns what the body was counted for: the token in it exists. */
  readonly giveBack: () => void;
}

interface Deps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly trustedProxies: readonly string[];
  /** Points that one client has a minute for tokens that do not exist; 0 is no limit. */
  readonly unknownPerMinute: number;
  readonly processes?: Processes;
}

/** Bytes that one point buys, for a body of an unknown sender. */
const POINT_BYTES = 16_384;
/** Programs that stream JSON word by word send the token first; other connections may send this many small pieces. */
const MAX_SMALL_PIECES = { known: 4096, unknown: 512 };

const MEBIBYTE = 2 ** 20;
const nothing: ReceivedBody = { bytes: new Uint8Array(0), cutBytes: 0, giveBack: () => {} };

export function createAdmission({
  clock,
  trustedProxies,
  unknownPerMinute,
  processes = oneProcess,
}: Deps): Admission {
  const addresses = createClientAddresses(trustedProxies);
  const { clientOf } = addresses;
  const unknown = createMinuteBudget(unknownPerMinute, clock, processes);
  const memory: Readonly<Record<"known" | "unknown", BodyMemory>> = {
    known: createBodyMemory({ allBytes: 64 * MEBIBYTE, clientBytes: 16 * MEBIBYTE }),
    unknown: createBodyMemory({ allBytes: 32 * MEBIBYTE, clientBytes: 8 * MEBIBYTE }),
  };
  const tooMany = (client: string): TooManyRequests =>
    new TooManyRequests(
      `more than ${unknownPerMinute} requests a minute from one address whose token does not exist or comes in the body: send the token in the query`,
      unknown.secondsLeft(client),
    );
  /** Charges for the body of an unknown client in advance. */
  const payAhead = (client: string, bytes: number): (() => void) => {
    if (bytes <= SMALL_BODY_BYTES) return () => {};
    const points = Math.ceil(bytes / POINT_BYTES);
    // guard: bodies of strangers
    if (!unknown.spend(client, points)) throw tooMany(client);
    return () => unknown.giveBack(client, points);
  };

  return {
    ...addresses,
    async readBody(request, response, { limitBytes, end, isKnown }) {
      if (!hasBody(request)) return nothing;
      const client = clientOf(request);
      const giveBack = isKnown
        ? () => {}
        : payAhead(client, Math.min(announcedBytes(request) ?? limitBytes, limitBytes));
      let share: BodyShare | undefined;
      const grow = (bytes: number): void => {
        if (share === undefined) {
          share = memory[isKnown ? "known" : "unknown"].open(client);
          // Data derived from a body lives as long as its request.
          response.once("close", share.release);
        }
        share.grow(bytes);
      };
      if (/^100-continue$/i.test(request.headers.expect ?? "") && !request.complete)
        response.writeContinue();
      const maxSmallPieces = MAX_SMALL_PIECES[isKnown ? "known" : "unknown"];
      const limits = { limitBytes, maxSmallPieces, grow, ...(end !== undefined && { end }) };
      return { ...(await readBody(request, limits)), giveBack };
    },
    // guard: tokens that do not exist = then
    countUnknown: (client) => (unknown.spend(client, 1) ? undefined : tooMany(client)),
  };
}
