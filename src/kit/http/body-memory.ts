import { Unavailable } from "../errors.ts";

/** The memory that bodies may take which are being read or worked on, in all and of one client. */
export interface BodyMemory {
  /** Memory for one body; `release` returns all of it, once. */
  readonly open: (client: string) => BodyShare;
}

export interface BodyShare {
  /** Enlarges what the body has to so many bytes. Throws Unavailable where that is too much. */
  readonly grow: (bytes: number) => void;
  readonly release: () => void;
}

interface Limits {
  readonly allBytes: number;
  readonly clientBytes: number;
}

export function createBodyMemory({ allBytes, clientBytes }: Limits): BodyMemory {
  const held = new Map<string, number>();
  let all = 0;
  const change = (client: string, bytes: number): void => {
    const now = (held.get(client) ?? 0) + bytes;
    if (now === 0) held.delete(client);
    else held.set(client, now);
    all += bytes;
  };
  return {
    open(client) {
      let own = 0;
      return {
        grow(bytes) {
          const more = bytes - own;
          // guard: memory of a client's bodies
          if ((held.get(client) ?? 0) + more > clientBytes)
            throw new Unavailable("body: too many from one address at once");
          // guard: memory of bodies
          if (all + more > allBytes) throw new Unavailable("body: too many at once");
          change(client, more);
          own = bytes;
        },
        release() {
          change(client, -own);
          own = 0;
        },
      };
    },
  };
}
