import { join } from "node:path";
import { after } from "node:test";

import { remoteAccountAdmin } from "../../../src/server/control/remote-account-admin.ts";
import { sharedChromium } from "../../servers/shared-chromium.ts";
import { apiOfAccount, start, temporaryFolder } from "../process.ts";
import { faultsOf, signInByLink, type Dashboard, type Installation } from "./dashboard.ts";

const stack = new AsyncDisposableStack();
let shared: Promise<Installation> | undefined;
let accounts = 0;
let isKept = false;

after(async () => {
  if (!isKept) await stack.disposeAsync();
});

/** For a batch: hooks of its process run after each of its files. */
export function keepInstallation(): AsyncDisposable {
  isKept = true;
  return stack;
}

/** To start the program takes longer than many a test does. */
async function openInstallation(): Promise<Installation> {
  const folder = stack.use(await temporaryFolder());
  // More sign in here within a minute than one client address may.
  const site = stack.use(await start(folder.path, { WATCHPOST_SIGN_IN_RATE: "0" }));
  return { site, folder: folder.path, browser: await sharedChromium() };
}

/** Signs in the owner of a new account, which sees nothing of others in the installation that the tests of a process share. */
export async function openSharedDashboard(): Promise<Dashboard & { readonly email: string }> {
  shared ??= openInstallation();
  const { folder, browser, site } = await shared;
  accounts += 1;
  const email = `ann-${accounts}@example.com`;
  const wish = { name: `Account ${accounts}`, ownerEmail: email, timeZone: "0" };
  const { id, token } = await remoteAccountAdmin(join(folder, "data")).create(wish);
  const context = await signInByLink({ site, folder, browser }, { accountId: id });
  const [page] = context.pages();
  if (page === undefined) throw new Error("nobody is signed in");
  return {
    site: apiOfAccount(site.base, token),
    folder,
    browser,
    context,
    page,
    email,
    faults: faultsOf(page),
    [Symbol.asyncDispose]: () => context.close(),
  };
}
