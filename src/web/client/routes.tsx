import {
  BellIcon,
  BriefcaseIcon,
  ClockIcon,
  HomeIcon,
  LocationIcon,
  OrganizationIcon,
  PaintbrushIcon,
  PaperAirplaneIcon,
  PeopleIcon,
  PulseIcon,
  ToolsIcon,
} from "@primer/octicons-react";
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
    path: "/checks",
    page: lazy(async () => {
      const { ChecksPage } = await import("./pages/checks/checks-page.tsx");
      return { default: ChecksPage };
    }),
    link: { text: "checks.title", icon: PulseIcon },
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
  {
    path: "/notifications",
    page: lazy(async () => {
      const { NotificationsPage } = await import("./pages/notifications/notifications-page.tsx");
      return { default: NotificationsPage };
    }),
    link: { text: "notifications.title", icon: PaperAirplaneIcon },
  },
  {
    path: "/maintenance",
    page: lazy(async () => {
      const { MaintenancePage } = await import("./pages/maintenance/maintenance-page.tsx");
      return { default: MaintenancePage };
    }),
    link: { text: "maintenance.title", icon: ToolsIcon },
  },
  {
    path: "/contacts",
    page: lazy(async () => {
      const { ContactsPage } = await import("./pages/contacts/contacts-page.tsx");
      return { default: ContactsPage };
    }),
    link: { text: "contacts.title", icon: PeopleIcon },
  },
  {
    path: "/groups",
    page: lazy(async () => {
      const { GroupsPage } = await import("./pages/groups/groups-page.tsx");
      return { default: GroupsPage };
    }),
    link: { text: "groups.title", icon: OrganizationIcon },
  },
  {
    path: "/profiles",
    page: lazy(async () => {
      const { ProfilesPage } = await import("./pages/profiles/profiles-page.tsx");
      return { default: ProfilesPage };
    }),
    link: { text: "profiles.title", icon: BellIcon },
  },
  {
    path: "/schedules",
    page: lazy(async () => {
      const { SchedulesPage } = await import("./pages/schedules/schedules-page.tsx");
      return { default: SchedulesPage };
    }),
    link: { text: "schedules.title", icon: ClockIcon },
  },
  {
    path: "/locations",
    page: lazy(async () => {
      const { LocationsPage } = await import("./pages/locations/locations-page.tsx");
      return { default: LocationsPage };
    }),
    link: { text: "locations.title", icon: LocationIcon },
  },
  {
    path: "/subaccounts",
    page: lazy(async () => {
      const { SubaccountsPage } = await import("./pages/subaccounts/subaccounts-page.tsx");
      return { default: SubaccountsPage };
    }),
    link: { text: "subaccounts.title", icon: BriefcaseIcon },
  },
  {
    path: "/branding",
    page: lazy(async () => {
      const { BrandingPage } = await import("./pages/branding/branding-page.tsx");
      return { default: BrandingPage };
    }),
    link: { text: "branding.title", icon: PaintbrushIcon },
  },
];
