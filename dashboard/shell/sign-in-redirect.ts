/** Sends the reader to sign in, which leads back to where they were. */
export function SignInRedirect(): null {
  const { pathname, search, hash } = location;
  const back = `${pathname}${search}${hash}`;
  location.replace(back === "/" ? "/signin" : `/signin?next=${encodeURIComponent(back)}`);
  return null;
}
