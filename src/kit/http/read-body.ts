import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";

import { InvalidInput, TooLarge } from "../errors.ts";

/** Bytes that any connection may send uncounted: enough for nearly every heartbeat and record. */
export const SMALL_BODY_BYTES = 4096;
/** A body may come in pieces of this size. The smallest segments of TCP have 536 bytes (RFC 9293, section 3.7.1), and the server splits some. */
const USUAL_PIECE_BYTES = 256;

/** Part kept of a longer body, if its start allows that. */
export interface KeptEnd {
  readonly bytes: number;
  readonly mayBeCut: (beginning: Uint8Array) => boolean;
}

export interface ReceivedBytes {
  readonly bytes: Uint8Array;
  /** How many came before these. */
  readonly cutBytes: number;
}

interface Limits {
  readonly limitBytes: number;
  readonly end?: KeptEnd;
  /** How many pieces may be smaller than usual; each costs 2 µs and 300 bytes until it is read. */
  readonly maxSmallPieces: number;
  /** Called before more than a small body is kept, with its new size; throws if that is too much. */
  readonly grow: (bytes: number) => void;
}

/** Returns whether a request announces a body (RFC 9112, section 6.3). */
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
  { limitBytes, end, maxSmallPieces, grow }: Limits,
): Promise<ReceivedBytes> {
  const tooLarge = (most = limitBytes): TooLarge => new TooLarge(`body: larger than ${most} bytes`);
  const announced = announcedBytes(request);
  // Room for twice as much as is kept, so that each byte is moved once at most.
  const maxKept = end === undefined ? limitBytes : Math.min(limitBytes, 2 * end.bytes);
  if ((announced ?? 0) > limitBytes) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    let kept: Uint8Array = new Uint8Array(0);
    let bytes = 0;
    let cutBytes = 0;
    let pieces = 0;
    /** Forgets what was before the end, where a piece has no room after it. */
    const makeRoom = (piece: Uint8Array, { bytes: keptBytes, mayBeCut }: KeptEnd): void => {
      const at = bytes - piece.length - cutBytes;
      if (at + piece.length <= keptBytes) return;
      if (cutBytes === 0 && !mayBeCut(at === 0 ? piece : kept)) throw tooLarge(keptBytes);
      if (at + piece.length <= maxKept) return;
      const cut = Math.min(at, at + piece.length - keptBytes);
      kept.copyWithin(0, cut, at);
      cutBytes += cut;
    };
    const add = (piece: Uint8Array): void => {
      bytes += piece.length;
      pieces += 1;
      if (bytes > limitBytes) throw tooLarge();
      // guard: pieces of bodies
      if (pieces > maxSmallPieces + bytes / USUAL_PIECE_BYTES)
        throw new InvalidInput(
          `body: in more than ${maxSmallPieces} small pieces, send larger chunks`,
        );
      if (piece.length === announced) {
        if (bytes > SMALL_BODY_BYTES) grow(bytes);
        kept = piece;
        return;
      }
      if (end !== undefined) makeRoom(piece, end);
      const keptBytes = bytes - cutBytes;
      if (keptBytes > kept.length) {
        const capacity = Math.max(keptBytes, 2 * kept.length, SMALL_BODY_BYTES);
        const bounded = Math.max(Math.min(capacity, maxKept), keptBytes);
        if (bounded > SMALL_BODY_BYTES) grow(bounded);
        const grown = new Uint8Array(bounded);
        grown.set(kept.subarray(0, keptBytes - piece.length));
        kept = grown;
      }
      kept.set(piece, keptBytes - piece.length);
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
    const onEnd = (): void =>
      finish(() => resolve({ bytes: kept.subarray(0, bytes - cutBytes), cutBytes }));
    request.on("data", onData).on("end", onEnd);
    const onCut = (): void => finish(() => reject(new InvalidInput("body: was cut off")));
    request.once("error", onCut).once("close", onCut);
    if (request.destroyed) onCut();
  });
}
