/** Leads from the link of an alert, which names its check behind the hash, to the page of the check. */
export function followLinkedCheck(): void {
  const follow = (): void => {
    const id = location.hash.slice(1);
    // Ids begin with that of the account; other names are of places in a page.
    if (location.pathname === "/" && id.includes("-"))
      history.replaceState(null, "", `/checks/${id}`);
  };
  addEventListener("hashchange", follow);
  follow();
}
