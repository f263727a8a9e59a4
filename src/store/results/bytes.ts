import { InvalidInput } from "../../kit/errors.ts";

/** Appends numbers, small ones in few bytes. */
export type ByteWriter = ReturnType<typeof createByteWriter>;

/** Reads what a writer wrote; throws InvalidInput where it ends too early. */
export type ByteReader = ReturnType<typeof createByteReader>;

const FIRST_BYTES = 1024;
/** Bytes of the largest safe integer: 53 bits, seven per byte. */
const MAX_NUMBER_BYTES = 8;

export function createByteWriter() {
  let buffer = new Uint8Array(FIRST_BYTES);
  let length = 0;
  const makeRoom = (bytes: number): void => {
    if (length + bytes <= buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * buffer.length, length + bytes));
    larger.set(buffer);
    buffer = larger;
  };
  const unsigned = (value: number): void => {
    if (!Number.isSafeInteger(value) || value < 0) throw notPacked(value);
    makeRoom(MAX_NUMBER_BYTES);
    let rest = value;
    while (rest >= 0x80) {
      buffer[length] = (rest % 0x80) + 0x80;
      length += 1;
      rest = Math.floor(rest / 0x80);
    }
    buffer[length] = rest;
    length += 1;
  };
  return {
    /** An integer from 0: seven bits a byte, the lowest first. */
    unsigned,
    /** An integer that is zero or near it on either side. */
    signed(value: number): void {
      if (!Number.isInteger(value)) throw notPacked(value);
      unsigned(value < 0 ? -2 * value - 1 : 2 * value);
    },
    bytes(bytes: Uint8Array): void {
      makeRoom(bytes.length);
      buffer.set(bytes, length);
      length += bytes.length;
    },
    written: (): Uint8Array => buffer.subarray(0, length),
  };
}

function notPacked(value: number): InvalidInput {
  return new InvalidInput(`${value} is no integer that can be packed`);
}

export function createByteReader(buffer: Uint8Array) {
  let at = 0;
  const unsigned = (): number => {
    let value = 0;
    for (let [digits, factor] = [0, 1]; digits < MAX_NUMBER_BYTES; digits += 1, factor *= 0x80) {
      const byte = buffer[at];
      if (byte === undefined) throw new InvalidInput("it ends within a number");
      at += 1;
      value += (byte % 0x80) * factor;
      if (byte < 0x80) return value;
    }
    throw new InvalidInput("a number in it is too long");
  };
  return {
    unsigned,
    signed(): number {
      const value = unsigned();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    },
    bytes(length: number): Uint8Array {
      if (length > buffer.length - at) throw new InvalidInput("it ends too early");
      at += length;
      return buffer.subarray(at - length, at);
    },
    isAtEnd: (): boolean => at === buffer.length,
  };
}
