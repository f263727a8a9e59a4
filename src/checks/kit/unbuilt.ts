import { Unavailable } from "../../kit/errors.ts";

/** The run of a type whose probe is not built yet: trouble of our own, so that nothing is decided. */
export function unbuilt(type: string): () => Promise<never> {
  return () => Promise.reject(new Unavailable(`no probe for ${type} checks is built yet`));
}
