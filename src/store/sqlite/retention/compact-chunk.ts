import type { Result } from "../../../domain/run/result.ts";
import { isOfTheRow, type RejectedResults } from "./rejected-results.ts";
import type { Chunk } from "../results.ts";

/** Runs work in the next commit; `committed` is called in the same turn as that. */
export type InTransaction = (run: () => Promise<void>, committed?: () => void) => Promise<void>;

interface Deps {
  readonly inTx: InTransaction;
  readonly rejected: Pick<RejectedResults, "insert">;
}

/** Moves results to their days. Results that no table accepts are set aside, each in its own transaction, and the rest continue. */
export async function compactChunk(
  { results, write, committed }: Chunk,
  { inTx, rejected }: Deps,
): Promise<void> {
  const writeApart = async (some: readonly Result[]): Promise<readonly Result[]> => {
    try {
      await inTx(async () => void (await write(some)));
      return some;
    } catch (error) {
      if (!isOfTheRow(error)) throw error;
      const [first, second] = some;
      if (first !== undefined && second === undefined) {
        await inTx(() => rejected.insert(first, error));
        return [];
      }
      const half = some.length >>> 1;
      return [...(await writeApart(some.slice(0, half))), ...(await writeApart(some.slice(half)))];
    }
  };
  try {
    await inTx(
      async () => void (await write(results)),
      () => committed(results),
    );
  } catch (error) {
    if (results.length === 0 || !isOfTheRow(error)) throw error;
    committed(await writeApart(results));
  }
}
