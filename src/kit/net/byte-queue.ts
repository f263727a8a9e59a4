/** Bytes that were received and not read yet, in one buffer that grows: memory in proportion to what is kept, in however small pieces it came. */
export interface ByteQueue {
  readonly length: () => number;
  /** A promise where the memory has to be waited for: nothing more should be received until then. */
  readonly append: (bytes: Uint8Array) => Promise<void> | undefined;
  /** The position of a byte; -1 if it is not there. */
  readonly indexOf: (byte: number) => number;
  /** Removes the first bytes, which belong to the caller. */
  readonly take: (length: number) => Buffer;
}

/** Reserves memory; returns a promise if none is free. */
export type Reserve = (bytes: number) => Promise<void> | undefined;

const FIRST_BYTES = 1024;
/** Size up to which a queue needs no reservation: 3,000 runs waiting for the rest of a line use 24 MB. */
const UNRESERVED_BYTES = 8192;

export function createByteQueue(reserve?: Reserve): ByteQueue {
  let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let start = 0;
  let end = 0;

  /** Another buffer with the same bytes. The memory of this one is free at once: until a collection finds it, targets send more. */
  // guard: memory that is left behind = Buffer.concat([buffer], length)
  const move = (length: number): Buffer<ArrayBuffer> => Buffer.from(buffer.buffer.transfer(length));
  /** Moves what is unread to the beginning, of a buffer twice as large where it would not fit. */
  const makeRoom = (bytes: number): void => {
    buffer.copyWithin(0, start, end);
    end -= start;
    start = 0;
    const needed = end + bytes;
    if (needed > buffer.length / 2) buffer = move(Math.max(2 * buffer.length, needed));
  };

  return {
    length: () => end - start,
    append(bytes) {
      const before = buffer.length;
      if (bytes.length > before - end) makeRoom(bytes.length);
      buffer.set(bytes, end);
      end += bytes.length;
      const hasGrown = buffer.length > Math.max(before, UNRESERVED_BYTES);
      return hasGrown ? reserve?.(buffer.length) : undefined;
    },
    indexOf: (byte) => buffer.subarray(start, end).indexOf(byte),
    take(length) {
      const until = Math.min(start + length, end);
      if (until === end && end > UNRESERVED_BYTES) {
        const all = move(end).subarray(start);
        buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
        start = 0;
        end = 0;
        return all;
      }
      const taken = Buffer.from(buffer.subarray(start, until));
      start = until;
      return taken;
    },
  };
}
