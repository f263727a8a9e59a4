/** Returns whether something may have been entered that leaving the page would lose. */
export function isFormOpen(): boolean {
  return document.querySelector("main form, [role=dialog] form") !== null;
}
