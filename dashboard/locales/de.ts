import type { Catalogue } from "./catalogue.ts";
import { account } from "./de/account.ts";
import { audit, auditFields } from "./de/audit.ts";
import { branding } from "./de/branding.ts";
import { checkEdit } from "./de/check-edit.ts";
import { check } from "./de/check.ts";
import { checks } from "./de/checks.ts";
import { commands } from "./de/commands.ts";
import { common } from "./de/common.ts";
import { contacts } from "./de/contacts.ts";
import { dropReasons } from "./de/drop-reasons.ts";
import { forms } from "./de/forms.ts";
import { groups } from "./de/groups.ts";
import { imported } from "./de/imported.ts";
import { incidents } from "./de/incidents.ts";
import { locations } from "./de/locations.ts";
import { maintenance } from "./de/maintenance.ts";
import { navigation } from "./de/navigation.ts";
import { notifications } from "./de/notifications.ts";
import { overview } from "./de/overview.ts";
import { problems } from "./de/problems.ts";
import { profiles } from "./de/profiles.ts";
import { records } from "./de/records.ts";
import { schedules } from "./de/schedules.ts";
import { settings } from "./de/settings.ts";
import { signIn } from "./de/sign-in.ts";
import { states } from "./de/states.ts";
import { statusPages } from "./de/status-pages.ts";
import { subaccounts } from "./de/subaccounts.ts";
import { subscribers } from "./de/subscribers.ts";
import { tokens } from "./de/tokens.ts";
import { welcome } from "./de/welcome.ts";
import { zoneQuestion } from "./de/zone-question.ts";

export const de: Catalogue = {
  account,
  audit,
  auditFields,
  branding,
  check,
  checkEdit,
  checks,
  commands,
  common,
  contacts,
  dropReasons,
  forms,
  groups,
  imported,
  incidents,
  locations,
  maintenance,
  navigation,
  notifications,
  overview,
  problems,
  profiles,
  records,
  schedules,
  settings,
  signIn,
  states,
  statusPages,
  subaccounts,
  subscribers,
  tokens,
  welcome,
  zoneQuestion,
};
