import { InvalidInput } from "../../kit/errors.ts";
import { portOf } from "../../kit/http/request-head.ts";
import { ownAddressesOf, type OwnListener } from "../../kit/net/own-listener.ts";

export interface OwnAddresses {
  /** Its public address. */
  readonly url: string;
  /** Address of this process's listener; undefined if it does not listen. */
  readonly listener?: Pick<OwnListener, "isAt"> | undefined;
}

/**
 * Throws InvalidInput where a URL leads to this installation, for an alert must not come back as a request. A name that DNS resolves
 * is judged when it is dialled.
 */
export function assertNotOwnUrl(url: URL, { url: publicUrl, listener }: OwnAddresses): void {
  const own = new URL(publicUrl);
  const leadsBack = ownAddressesOf(url.hostname).some((address) =>
    listener?.isAt(address, portOf(url)),
  );
  // guard: spellings of this installation = right
  // guard: webhooks never lead to this installation = left
  if (leadsBack || isBelow(own, url))
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
