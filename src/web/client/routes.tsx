import { HomeIcon } from "@primer/octicons-react";
import type { Icon } from "@primer/octicons-react";
import { lazy } from "react";
import type { ComponentType } from "react";

import type { MessageId } from "./locales/catalogue.ts";
import type { ClientPath } from "./paths.ts";

/** A page of the dashboard; its component is loaded when it is first shown. */
export interface Route {
  readonly path: ClientPath;
  readonly page: ComponentType;
  /** Where it stands in the navigation; undefined where other pages lead to it. */
  readonly link?: { readonly text: MessageId; readonly icon: Icon };
}

/** In the order of the navigation; of those that match an address the first is shown. */
export const routes: readonly Route[] = [
  {
    path: "/",
    page: lazy(async () => {
      const { OverviewPage } = await import("./pages/overview/overview-page.tsx");
      return { default: OverviewPage };
    }),
    link: { text: "navigation.overview", icon: HomeIcon },
  },
  {
    path: "/welcome",
    page: lazy(async () => {
      const { WelcomePage } = await import("./pages/welcome/welcome-page.tsx");
      return { default: WelcomePage };
    }),
  },
  {
    path: "/checks/new",
    page: lazy(async () => {
      const { CheckNewPage } = await import("./pages/check-edit/check-new-page.tsx");
      return { default: CheckNewPage };
    }),
  },
  {
    path: "/checks/:id/edit",
    page: lazy(async () => {
      const { CheckEditPage } = await import("./pages/check-edit/check-edit-page.tsx");
      return { default: CheckEditPage };
    }),
  },
  {
    path: "/checks/:id",
    page: lazy(async () => {
      const { CheckPage } = await import("./pages/check/check-page.tsx");
      return { default: CheckPage };
    }),
  },
];
