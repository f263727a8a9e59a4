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
