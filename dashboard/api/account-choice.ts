const KEY = "watchpost-account";

/** The subaccount that this tab works on; undefined for the account of the session. */
export function accountOf(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** Works on another account from now on, in this tab; everything that was loaded is of the one before. */
export function chooseAccount(id: string | undefined): void {
  if (id === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, id);
  location.assign("/");
}
