type Settled<Works extends readonly unknown[]> = {
  -readonly [Index in keyof Works]: Awaited<Works[Index]>;
};

/** Waits until all have ended, so that none outlives the unit that began it; throws the error of the first in this order that failed. */
export async function together<const Works extends readonly unknown[]>(
  ...works: Works
): Promise<Settled<Works>> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
