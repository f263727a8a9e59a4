import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";

import { InvalidInput, TooLarge } from "../errors.ts";

/** What every connection may send without being counted: enough for nearly every heartbeat and record. */
export const SMALL_BODY_BYTES = 4096;
/** A body may come in pieces of this size. The smallest segments of TCP have 536 bytes (RFC 9293, section 3.7.1), and the server splits some. */
const USUAL_PIECE_BYTES = 256;

interface Limits {
  readonly mostBytes: number;
  /** How many pieces may be smaller than usual; each costs 2 µs and 300 bytes until it is read. */
  readonly mostSmallPieces: number;
  /** Called before more than a small body is kept, with the bytes it will then take; throws where that is too much. */
  readonly grow: (bytes: number) => void;
}

/** Whether a request announces a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** The length that a request announces; undefined for one in chunks. */
export function announcedBytes({ headers }: Pick<IncomingMessage, "headers">): number | undefined {
  const length = headers["content-length"];
  return length === undefined ? undefined : Number(length);
}

/** Resolves when a small body that came together with the head of its request has been parsed, and the request is complete. */
export async function untilParsed(request: IncomingMessage): Promise<void> {
  const isSmall = hasBody(request) && (announcedBytes(request) ?? Infinity) <= SMALL_BODY_BYTES;
  if (isSmall && !request.complete) await setImmediate();
}

/**
 * Reads a body into one buffer that grows by what arrives, so that neither an announced length nor the smallest chunks take memory. Throws
 * TooLarge or InvalidInput; the rest of the body is then left unread.
 */
export function readBody(
  request: IncomingMessage,
  { mostBytes, mostSmallPieces, grow }: Limits,
): Promise<Uint8Array> {
  const tooLarge = (): TooLarge => new TooLarge(`body: larger than ${mostBytes} bytes`);
  const announced = announcedBytes(request);
  if ((announced ?? 0) > mostBytes) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    let kept: Uint8Array = new Uint8Array(0);
    let bytes = 0;
    let pieces = 0;
    const add = (piece: Uint8Array): void => {
      const before = bytes;
      bytes += piece.length;
      pieces += 1;
      if (bytes > mostBytes) throw tooLarge();
      if (pieces > mostSmallPieces + bytes / USUAL_PIECE_BYTES)
        throw new InvalidInput(
          `body: in more than ${mostSmallPieces} small pieces, send larger chunks`,
        );
      if (piece.length === announced) {
        if (bytes > SMALL_BODY_BYTES) grow(bytes);
        kept = piece;
        return;
      }
      if (bytes > kept.length) {
        const capacity = Math.min(Math.max(bytes, 2 * kept.length, SMALL_BODY_BYTES), mostBytes);
        if (capacity > SMALL_BODY_BYTES) grow(capacity);
        const grown = new Uint8Array(capacity);
        grown.set(kept.subarray(0, before));
        kept = grown;
      }
      kept.set(piece, before);
    };
    const finish = (settle: () => void): void => {
      request.off("data", onData).off("end", onEnd).pause();
      settle();
    };
    const onData = (piece: Uint8Array): void => {
      try {
        add(piece);
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const onEnd = (): void => finish(() => resolve(kept.subarray(0, bytes)));
    request.on("data", onData).on("end", onEnd);
    const onCut = (): void => finish(() => reject(new InvalidInput("body: was cut off")));
    request.once("error", onCut).once("close", onCut);
    if (request.destroyed) onCut();
  });
}
