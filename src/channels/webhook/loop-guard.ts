import { InvalidInput } from "../../kit/errors.ts";

/** Throws InvalidInput where a URL leads to this installation, for an alert must not come back as a request. */
export function assertNotOwnUrl(url: URL, own: URL): void {
  if (isBelow(own, url))
    throw new InvalidInput(`must not be this installation itself, ${JSON.stringify(own.href)}`);
}

/** An installation may share its origin with others, each below a path of its own. */
function isBelow(own: URL, url: URL): boolean {
  return (
    originOf(url) === originOf(own) &&
    `${url.pathname}/`.startsWith(own.pathname.replace(/\/*$/, "/"))
  );
}

/** A dot at the end of a host makes it no other. */
function originOf({ origin }: URL): string {
  return origin.replace(/\.(?=$|:\d+$)/, "");
}
