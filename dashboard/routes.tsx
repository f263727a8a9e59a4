import {
  BellIcon,
  BriefcaseIcon,
  BroadcastIcon,
  ClockIcon,
  HomeIcon,
  KeyIcon,
  LocationIcon,
  LogIcon,
  MegaphoneIcon,
  OrganizationIcon,
  PaintbrushIcon,
  PaperAirplaneIcon,
  PeopleIcon,
  PulseIcon,
  SlidersIcon,
  ToolsIcon,
  type Icon,
} from "@primer/octicons-react";
import type { ComponentType } from "react";

import type { MessageId } from "./locales/catalogue.ts";
import { loadedLater } from "./parts/loaded-later.tsx";
import type { ClientPath } from "../src/domain/dashboard-paths.ts";
import type { Access } from "./shell/session.ts";

/** A page of the dashboard; its component is loaded when it is first shown. */
export interface Route {
  readonly path: ClientPath;
  readonly page: ComponentType;
  /** Link in the navigation; undefined if other pages link to it. */
  readonly link?: { readonly text: MessageId; readonly icon: Icon };
  /** The access without which it shows nothing; `view` if missing. */
  readonly needs?: Access;
}

const pageOf = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): ComponentType => loadedLater(async () => (await load())[name]);

/** In the order of the navigation; of those that match an address the first is shown. */
export const routes: readonly Route[] = [
  {
    path: "/",
    page: pageOf(() => import("./pages/overview/overview-page.tsx"), "OverviewPage"),
    link: { text: "navigation.overview", icon: HomeIcon },
  },
  {
    path: "/checks",
    page: pageOf(() => import("./pages/checks/checks-page.tsx"), "ChecksPage"),
    link: { text: "checks.title", icon: PulseIcon },
  },
  {
    path: "/welcome",
    page: pageOf(() => import("./pages/welcome/welcome-page.tsx"), "WelcomePage"),
    needs: "edit",
  },
  {
    path: "/checks/new",
    page: pageOf(() => import("./pages/check-edit/check-new-page.tsx"), "CheckNewPage"),
    needs: "edit",
  },
  {
    path: "/checks/:id/edit",
    page: pageOf(() => import("./pages/check-edit/check-edit-page.tsx"), "CheckEditPage"),
    needs: "edit",
  },
  {
    path: "/checks/:id",
    page: pageOf(() => import("./pages/check/check-page.tsx"), "CheckPage"),
  },
  {
    path: "/notifications",
    page: pageOf(() => import("./pages/notifications/notifications-page.tsx"), "NotificationsPage"),
    link: { text: "notifications.title", icon: PaperAirplaneIcon },
  },
  {
    path: "/maintenance",
    page: pageOf(() => import("./pages/maintenance/maintenance-page.tsx"), "MaintenancePage"),
    link: { text: "maintenance.title", icon: ToolsIcon },
  },
  {
    path: "/status-pages",
    page: pageOf(() => import("./pages/status-pages/status-pages-page.tsx"), "StatusPagesPage"),
    link: { text: "statusPages.title", icon: BroadcastIcon },
  },
  {
    path: "/incidents",
    page: pageOf(() => import("./pages/incidents/incidents-page.tsx"), "IncidentsPage"),
    link: { text: "incidents.title", icon: MegaphoneIcon },
  },
  {
    path: "/contacts",
    page: pageOf(() => import("./pages/contacts/contacts-page.tsx"), "ContactsPage"),
    link: { text: "contacts.title", icon: PeopleIcon },
  },
  {
    path: "/groups",
    page: pageOf(() => import("./pages/contacts/groups-page.tsx"), "GroupsPage"),
    link: { text: "groups.title", icon: OrganizationIcon },
  },
  {
    path: "/profiles",
    page: pageOf(() => import("./pages/profiles/profiles-page.tsx"), "ProfilesPage"),
    link: { text: "profiles.title", icon: BellIcon },
  },
  {
    path: "/schedules",
    page: pageOf(() => import("./pages/schedules/schedules-page.tsx"), "SchedulesPage"),
    link: { text: "schedules.title", icon: ClockIcon },
  },
  {
    path: "/locations",
    page: pageOf(() => import("./pages/settings/locations-page.tsx"), "LocationsPage"),
    link: { text: "locations.title", icon: LocationIcon },
  },
  {
    path: "/subaccounts",
    page: pageOf(() => import("./pages/subaccounts/subaccounts-page.tsx"), "SubaccountsPage"),
    link: { text: "subaccounts.title", icon: BriefcaseIcon },
  },
  {
    path: "/branding",
    page: pageOf(() => import("./pages/settings/branding-page.tsx"), "BrandingPage"),
    link: { text: "branding.title", icon: PaintbrushIcon },
  },
  {
    path: "/settings",
    page: pageOf(() => import("./pages/settings/settings-page.tsx"), "SettingsPage"),
    link: { text: "settings.title", icon: SlidersIcon },
    needs: "owner",
  },
  {
    path: "/account",
    page: pageOf(() => import("./pages/account/account-page.tsx"), "AccountPage"),
  },
  {
    path: "/tokens",
    page: pageOf(() => import("./pages/tokens/tokens-page.tsx"), "TokensPage"),
    link: { text: "tokens.title", icon: KeyIcon },
    needs: "owner",
  },
  {
    path: "/audit",
    page: pageOf(() => import("./pages/audit/audit-page.tsx"), "AuditPage"),
    link: { text: "audit.title", icon: LogIcon },
    needs: "owner",
  },
];
