import { leftOut, mapped, noSetting, off, partOf, type Fields } from "../fields.ts";

const NO_DOMAINS = "the registration of domains is not checked";
const NO_GROUPS = "groups are tags here: their names are not shown";

export const version2Fields: Fields = {
  ...mapped(
    `alert_contacts custom_http_headers custom_http_statuses friendly_name http_method http_password
    http_username id interval keyword_case_type keyword_type keyword_value logs mwindows port
    post_content_type post_type post_value status sub_type timeout timezone type url`,
  ),
  ...noSetting(
    `all_time_uptime_durations all_time_uptime_ratio average_response_time create_datetime
    custom_down_durations custom_uptime_ranges custom_uptime_ratio custom_uptime_ratios domain_expire
    is_group_main response_times ssl`,
  ),
  ...off("http_auth_type", "checks sign in by Basic alone", 1),
  ...leftOut("disable_domain_expire_notifications", NO_DOMAINS, 1),
  ...leftOut("ignore_ssl_errors", "certificates are not verified: set verify", 1),
  ...leftOut("monitor_group", NO_GROUPS),
};

export const version3Fields: Fields = {
  ...mapped(
    `assignedAlertContacts authType checkSSLErrors config customHttpHeaders followRedirections
    friendlyName gracePeriod httpMethodType httpPassword httpUsername id interval keywordCaseType
    keywordType keywordValue maintenanceWindows port postValueData postValueType status
    successHttpResponseCodes tags timeout type url`,
  ),
  ...noSetting(
    `apiKey createDateTime currentStateDuration domainExpireDate lastDayUptimes lastIncident
    lastIncidentId psps sslBrand sslExpiryDateTime userId`,
  ),
  ...leftOut(
    "sslExpirationReminder",
    "a notice there, while warningdays makes a check fail here: set it if you want that",
  ),
  ...leftOut("domainExpirationReminder", NO_DOMAINS),
  ...leftOut("responseTimeThreshold", "a timeout is its only limit here"),
  ...leftOut("groupId", NO_GROUPS),
  ...leftOut("customFields", "checks have no fields of their own: use tags"),
  ...leftOut("regionalData", "choose regions of this installation: runlocations", "na"),
};

export const configFields: Fields = {
  ...mapped("applicationErrorRetries"),
  ...partOf("applicationErrorRetries", "sslExpirationPeriodDays"),
  ...leftOut("apiAssertions dnsRecords udp", "the answer is not compared with it"),
  ...leftOut("ipVersion", "IPv4 is tried first: set ipv6"),
};

export const windowFields: Fields = {
  ...mapped("days date duration friendly_name id interval name start_time status time type value"),
  ...noSetting("created user"),
  ...leftOut("autoAddMonitors", "it covers the checks that it has: new ones are added manually"),
};
