import { visitorApi } from "../api/sign-in.ts";
import { forgetDrafts } from "../parts/draft/kept-drafts.ts";
import { leave } from "../parts/draft/leaving.ts";

/** Ends the session, once the reader has discarded what is not saved. */
export function signOut(): void {
  leave(() => {
    forgetDrafts();
    // The page that follows says so where the session goes on.
    void visitorApi.POST("/signin/out").finally(() => location.assign("/signin"));
  });
}
