import { createSlotCounts } from "../concurrency/slot-counts.ts";
import { Unavailable } from "../errors.ts";

/** The memory that bodies may take which are being read or worked on, in all and of one client. */
export interface BodyMemory {
  /** Memory for one body; `release` returns all of it, once. */
  readonly open: (client: string) => BodyShare;
}

export interface BodyShare {
  /** Enlarges the body's share to `bytes`. Throws Unavailable if that is too much. */
  readonly grow: (bytes: number) => void;
  readonly release: () => void;
}

/** No client has this name. */
const ALL = "";

interface Limits {
  readonly allBytes: number;
  readonly clientBytes: number;
}

export function createBodyMemory({ allBytes, clientBytes }: Limits): BodyMemory {
  const held = createSlotCounts();
  return {
    open(client) {
      let own = 0;
      return {
        grow(bytes) {
          const more = bytes - own;
          // guard: memory of a client's bodies
          if (held.countOf(client) + more > clientBytes)
            throw new Unavailable("body: too many from one address at once");
          // guard: memory of bodies
          if (held.countOf(ALL) + more > allBytes) throw new Unavailable("body: too many at once");
          held.change([ALL, client], more);
          own = bytes;
        },
        release() {
          held.change([ALL, client], -own);
          own = 0;
        },
      };
    },
  };
}
