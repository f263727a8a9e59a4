import { Unavailable } from "../../../kit/errors.ts";

/** Runs a unit that is committed only while this process controls its checks; the id is that of its controller. */
export type Hold = <Value>(unit: (controllerId: string) => Promise<Value>) => Promise<Value>;

/** Another has taken over from this controller: nothing was stored. */
export class Fenced extends Unavailable {
  constructor() {
    super("another process controls the check by now, so nothing was stored");
  }
}
