import { statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { codeOf } from "../../src/kit/errors.ts";

const MEMORY = "/dev/shm";
/** Many times what the stores have that are open at once. */
const ROOM_BYTES = 2 ** 30;

/** A new folder for a store, in memory where there is room: on a disk that four processes share, a store waits six times as long for it. */
export function storeFolder(): Promise<string> {
  return mkdtemp(join(hasRoom() ? MEMORY : tmpdir(), "watchpost-"));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
