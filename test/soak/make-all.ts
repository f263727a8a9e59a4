import { sleep, systemClock } from "../../src/kit/clock.ts";

/** The API allows 12,000 a minute for one token: that leaves room for others. */
const PER_SECOND = 130;
const AT_ONCE = 8;

/** Makes one for each item, a few at a time and not faster than the API allows. */
export async function makeAll<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Promise<Made>,
): Promise<readonly Made[]> {
  const began = systemClock.monotonic();
  const made: Made[] = [];
  // The workers take turns at one iterator, so that each item is made once.
  const rest = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of rest) {
      await sleep(systemClock, began + (1000 * index) / PER_SECOND - systemClock.monotonic());
      made[index] = await make(item, index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return made;
}
