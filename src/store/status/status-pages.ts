import type { PublicState } from "../../domain/status/public-check.ts";

/** What a page of another account, or of the same, has already. */
export type TakenName = "slug" | "domain";

/** How a page is found by strangers. */
export type PageName =
  | { readonly id: string }
  | { readonly slug: string }
  | { readonly domain: string };

/** What a page shows of a check. */
export interface ShownState {
  readonly id: string;
  readonly no: number;
  readonly uuid: string;
  readonly state: PublicState;
}
