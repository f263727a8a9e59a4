/** Matches text that mail programs turn into links: a scheme, or words joined by dots or an @, up to a top-level domain in letters. */
const linkLike =
  /[a-z][a-z0-9+.-]{0,20}:\/\/|[\p{L}\p{N}_-][.。．｡@][\p{L}\p{N}_-]{0,62}\p{L}{2}/iu;

/** Returns whether a text holds what is shown as a link. Texts that strangers are mailed in our name must not. */
export function isLinkLike(text: string): boolean {
  return linkLike.test(text.normalize("NFKC"));
}
