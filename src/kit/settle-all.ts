type Settled<Works extends readonly unknown[]> = {
  -readonly [Index in keyof Works]: Awaited<Works[Index]>;
};

/** Waits until all have ended, so that none outlives its transaction; throws the first error in this order. */
export async function settleAll<const Works extends readonly unknown[]>(
  ...works: Works
): Promise<Settled<Works>> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
