/** The address of the script that this page runs. It differs from build to build. */
export function ownScript(): string | undefined {
  return document.querySelector("script[type=module][src]")?.getAttribute("src") ?? undefined;
}
