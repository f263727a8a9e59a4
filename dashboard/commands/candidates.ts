import type { ShownState } from "../parts/state.ts";
import type { Searched } from "./ranked.ts";

/** Something to go to, or to do. */
export interface Candidate extends Searched {
  readonly id: string;
  /** Of a check. */
  readonly state?: ShownState;
  /** The title of the page that lists the record. */
  readonly kind?: string;
  readonly run: () => void;
}
