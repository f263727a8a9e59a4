import type { RowTests } from "./fixture.ts";
import type { Section } from "./rows.ts";
import { accountRecord } from "./sections/account-record.ts";
import { accounts } from "./sections/accounts.ts";
import { authentication } from "./sections/authentication.ts";
import { checkRecord } from "./sections/checks/check-record.ts";
import { checks } from "./sections/checks/checks.ts";
import { contactGroups } from "./sections/contact-groups.ts";
import { contactRecord, groupRecord } from "./sections/contact-record.ts";
import { contacts } from "./sections/contacts.ts";
import { conventions } from "./sections/conventions.ts";
import { errors } from "./sections/errors.ts";
import { events } from "./sections/events.ts";
import { eventRecord, notificationRecord, uptimeRecord } from "./sections/history-records.ts";
import { limits } from "./sections/limits.ts";
import { methods } from "./sections/methods.ts";
import { notificationProfiles } from "./sections/notification-profiles.ts";
import { notifications } from "./sections/notifications.ts";
import { pushIntake } from "./sections/push-intake.ts";
import { pushPayload } from "./sections/push-payload.ts";
import { resultRecord } from "./sections/result-record.ts";
import { results } from "./sections/results.ts";
import { profileRecord, scheduleRecord } from "./sections/schedule-record.ts";
import { schedules } from "./sections/schedules.ts";
import { service } from "./sections/service.ts";
import { transitions } from "./sections/transitions.ts";
import { versioning } from "./sections/versioning.ts";

/** The tests of every section. */
export const sections = {
  "1 what the service does": service,
  "2.1 conventions": conventions,
  "2.2 account": accountRecord,
  "2.3 contact": contactRecord,
  "2.4 contact group": groupRecord,
  "2.5 schedule": scheduleRecord,
  "2.6 notification profile": profileRecord,
  "2.7 check": checkRecord,
  "2.8 result": resultRecord,
  "2.9 uptime": uptimeRecord,
  "2.10 current event": eventRecord,
  "2.11 notification": notificationRecord,
  "2.12 PUSH payload": pushPayload,
  "3 transitions": transitions,
  "4.1 method selection": methods,
  "4.2 accounts": accounts,
  "4.3 contacts": contacts,
  "4.4 contactgroups": contactGroups,
  "4.5 schedules": schedules,
  "4.6 notificationprofiles": notificationProfiles,
  "4.7 checks": checks,
  "4.8 results": results,
  "4.9 notifications": notifications,
  "4.10 PUSH intake": pushIntake,
  "5 authentication": authentication,
  "6 events": events,
  "7 errors": errors,
  "8 limits": limits,
  "9 versioning": versioning,
} satisfies { readonly [Of in Section]: RowTests<Of> };
