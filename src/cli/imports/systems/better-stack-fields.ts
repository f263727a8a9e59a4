import { leftOut, mapped, noSetting, off, partOf, type Fields } from "../fields.ts";

const RECIPIENTS = "who is alerted is not in the record: add recipients";

const common: Fields = {
  ...mapped(
    "maintenance_days maintenance_from maintenance_timezone maintenance_to paused pronounceable_name url",
  ),
  ...noSetting("created_at paused_at status team_name updated_at"),
  ...leftOut("call critical_alert email push sms", RECIPIENTS),
  ...leftOut("expiration_policy_id policy_id", "escalate by recipients with delays"),
  ...leftOut("team_wait", "give recipients a delay"),
  ...leftOut(
    "heartbeat_group_id monitor_group_id",
    "groups are tags here: their names are not shown",
  ),
  ...leftOut("sort_index", "checks are sorted by label"),
};

export const monitorFields: Fields = {
  ...common,
  ...mapped(
    `auth_password auth_username check_frequency confirmation_period expected_status_codes
    follow_redirects http_method ip_version monitor_type port request_body request_headers
    request_timeout required_keyword verify_ssl`,
  ),
  ...noSetting("last_checked_at"),
  ...leftOut("recovery_period", "a check is up as soon as it passes"),
  ...leftOut("domain_expiration", "the registration of domains is not checked"),
  ...leftOut(
    "ssl_expiration",
    "a notice there, while warningdays makes a check fail here: set it if you want that",
  ),
  ...leftOut("regions", "choose regions of this installation: runlocations"),
  ...leftOut("remember_cookies", "cookies are kept within a run", true),
  ...off("proxy_host proxy_port", "checks use no proxy"),
  ...leftOut("environment_variables", "nothing is put into requests"),
  ...leftOut("checks_version playwright_script scenario_name", "scripts are not run"),
};

export const heartbeatFields: Fields = {
  ...common,
  ...mapped("grace name period"),
  ...partOf("name", "pronounceable_name"),
};
