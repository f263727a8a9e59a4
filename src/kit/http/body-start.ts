import type { IncomingMessage } from "node:http";

import type { Clock } from "../clock.ts";

interface Limits {
  readonly mostBytes: number;
  readonly mostMs: number;
  readonly setTimer: Clock["setTimer"];
  readonly signal: AbortSignal;
}

/** Reads on until there are enough bytes, the body or the time is over, or the signal aborts; a body that breaks is as long as it came. */
export function readBodyStart(
  incoming: IncomingMessage,
  arrived: Uint8Array,
  { mostBytes, mostMs, setTimer, signal }: Limits,
): Promise<Uint8Array> {
  const pieces = [arrived];
  let length = arrived.length;
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener("abort", end);
      incoming.off("data", onData).pause();
      resolve(Buffer.concat(pieces));
    };
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      length += piece.length;
      if (length >= mostBytes) end();
    };
    const timer = setTimer(end, mostMs);
    signal.addEventListener("abort", end, { once: true });
    // Kept after the end, for a socket that is destroyed may report an error.
    incoming.on("error", end).once("end", end).once("close", end).on("data", onData);
    if (signal.aborted || length >= mostBytes || incoming.destroyed) end();
  });
}
