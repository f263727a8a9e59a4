/** Bytes that were received and not read yet, in one buffer that grows: memory in proportion to what is kept, in however small pieces it came. */
export interface ByteQueue {
  readonly length: () => number;
  readonly append: (bytes: Uint8Array) => void;
  /** The position of a byte; -1 if it is not there. */
  readonly indexOf: (byte: number) => number;
  /** Removes the first bytes, which belong to the caller. */
  readonly take: (length: number) => Buffer;
}

const FIRST_BYTES = 1024;

export function createByteQueue(): ByteQueue {
  let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let start = 0;
  let end = 0;

  /** Moves what is unread to the beginning, of a buffer twice as large where it would not fit. */
  const makeRoom = (bytes: number): void => {
    const unread = buffer.subarray(start, end);
    const needed = unread.length + bytes;
    if (needed > buffer.length / 2)
      buffer = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, needed));
    buffer.set(unread);
    start = 0;
    end = unread.length;
  };

  return {
    length: () => end - start,
    append(bytes) {
      if (bytes.length > buffer.length - end) makeRoom(bytes.length);
      buffer.set(bytes, end);
      end += bytes.length;
    },
    indexOf: (byte) => buffer.subarray(start, end).indexOf(byte),
    take(length) {
      const taken = Buffer.from(buffer.subarray(start, Math.min(start + length, end)));
      start += taken.length;
      return taken;
    },
  };
}
