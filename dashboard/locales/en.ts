import { account } from "./en/account.ts";
import { audit, auditFields } from "./en/audit.ts";
import { branding } from "./en/branding.ts";
import { checkEdit } from "./en/check-edit.ts";
import { check } from "./en/check.ts";
import { checks } from "./en/checks.ts";
import { commands } from "./en/commands.ts";
import { common } from "./en/common.ts";
import { contacts } from "./en/contacts.ts";
import { dropReasons } from "./en/drop-reasons.ts";
import { forms } from "./en/forms.ts";
import { groups } from "./en/groups.ts";
import { imported } from "./en/imported.ts";
import { incidents } from "./en/incidents.ts";
import { locations } from "./en/locations.ts";
import { maintenance } from "./en/maintenance.ts";
import { navigation } from "./en/navigation.ts";
import { notifications } from "./en/notifications.ts";
import { overview } from "./en/overview.ts";
import { problems } from "./en/problems.ts";
import { profiles } from "./en/profiles.ts";
import { records } from "./en/records.ts";
import { schedules } from "./en/schedules.ts";
import { settings } from "./en/settings.ts";
import { signIn } from "./en/sign-in.ts";
import { states } from "./en/states.ts";
import { statusPages } from "./en/status-pages.ts";
import { subaccounts } from "./en/subaccounts.ts";
import { subscribers } from "./en/subscribers.ts";
import { tokens } from "./en/tokens.ts";
import { welcome } from "./en/welcome.ts";
import { zoneQuestion } from "./en/zone-question.ts";

export const en = {
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
