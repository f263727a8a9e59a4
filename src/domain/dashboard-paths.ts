/** The addresses of the dashboard's pages, as patterns: the server answers each with the same document. */
export const clientPaths = [
  "/",
  "/checks",
  "/welcome",
  "/checks/new",
  "/checks/:id/edit",
  "/checks/:id",
  "/contacts",
  "/groups",
  "/schedules",
  "/profiles",
  "/maintenance",
  "/status-pages",
  "/incidents",
  "/notifications",
  "/locations",
  "/subaccounts",
  "/branding",
  "/account",
  "/settings",
  "/tokens",
  "/audit",
] as const;

export type ClientPath = (typeof clientPaths)[number];

/** The addresses of the pages on which people sign in and out. Mails lead to `/start` and `/forgot`. */
export const signInPaths = [
  "/signin",
  "/signout",
  "/verify",
  "/forgot",
  "/start",
  "/password",
  "/two-factor",
] as const;

/** The path of this installation that an address names; anything else is ignored, so that no link can sign people in and lead them elsewhere. */
export function localPath(address: string | null): string | undefined {
  const here = "http://here.invalid";
  if (address === null || !URL.canParse(address, here)) return undefined;
  const url = new URL(address, here);
  if (url.origin !== here) return undefined;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Two slashes, or the address inside `blob:`, would name another host when parsed again.
  return /^\/(?!\/)/.test(path) ? path : undefined;
}
