import { lazy, type ComponentType, type LazyExoticComponent } from "react";

import { isFormOpen } from "./form-open.ts";
import { ownScript } from "./own-script.ts";

/** Code of the dashboard that could not be loaded. Only a reload of the page helps, because browsers keep the failure of a module. */
export class CodeNotLoaded extends Error {
  /** Whether the server has a newer version than this page. */
  readonly isOutdated: boolean;

  constructor(isOutdated: boolean, cause: unknown) {
    super("code of the dashboard could not be loaded", { cause });
    this.isOutdated = isOutdated;
  }
}

/** A component whose code is loaded when it is first shown. A page of an older version reloads itself, unless something may have been entered. */
export function loadedLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      const isOutdated = await isOutdatedPage();
      if (isOutdated && !isFormOpen()) location.reload();
      throw new CodeNotLoaded(isOutdated, cause);
    }
  });
}

/** Returns whether the server sends this page with other code by now. */
async function isOutdatedPage(): Promise<boolean> {
  const own = ownScript();
  if (own === undefined) return false;
  try {
    const response = await fetch(location.pathname, { cache: "no-store" });
    return response.ok && !(await response.text()).includes(own);
  } catch {
    return false;
  }
}
