import { leftOut, mapped, noSetting, off, partOf, type Fields } from "../../fields.ts";

const PORT_ALONE = "only the port is checked";

/** Columns of types that have no counterpart: at most their port is checked, which the import notes. */
const unsupported = partOf(
  "type",
  `docker_container docker_host game gamedig_given_port_only gamedig_token grpc_body grpc_enable_tls
  grpc_metadata grpc_method grpc_protobuf grpc_service_name grpc_url kafka_producer_allow_auto_topic_creation
  kafka_producer_brokers kafka_producer_message kafka_producer_sasl_options kafka_producer_ssl
  kafka_producer_topic location manual_status mqtt_check_type mqtt_password mqtt_success_message mqtt_topic
  mqtt_username mqtt_websocket_path ntp_root_dispersion_threshold ntp_stratum_threshold
  ntp_time_offset_threshold protocol rabbitmq_nodes rabbitmq_password rabbitmq_username
  radius_called_station_id radius_calling_station_id radius_secret radius_username remote_browser
  screenshot screenshot_delay snmp_oid snmp_v3_username snmp_version subtype system_service_name`,
);

/** Columns of every type; a version 1 backup adds fields about its lists. */
const common: Fields = {
  ...mapped(
    "active description id interval maxretries name parent retry_interval type upside_down",
  ),
  ...noSetting(
    "children_ids created_date force_inactive include_sensitive_data maintenance path_name user_id weight",
  ),
  ...leftOut("resend_interval", "set reminders of its recipients: repeat, in minutes"),
  ...leftOut("domain_expiry_notification", "the registration of domains is not checked"),
};

const network: Fields = mapped("ip_family timeout");
const host: Fields = { ...network, ...mapped("hostname") };
const hostAndPort: Fields = { ...host, ...mapped("port") };

export const CERTIFICATE_NOTICE =
  "a notice there, while warningdays makes a check fail here: set it if you want that";

const http: Fields = {
  ...network,
  ...mapped(
    `accepted_statuscodes accepted_statuscodes_json auth_method basic_auth_pass basic_auth_user bearer_token
    body headers http_body_encoding ignore_tls maxredirects method tls_cert tls_key url`,
  ),
  ...partOf(
    "auth_method",
    `auth_domain auth_workstation oauth_audience oauth_auth_method oauth_client_id oauth_client_secret
    oauth_scopes oauth_token_url`,
  ),
  ...mapped("tls_ca"),
  ...off("proxy_id", "checks use no proxy"),
  ...leftOut("cache_bust", "nothing is added to the address"),
  ...leftOut("expiry_notification", CERTIFICATE_NOTICE),
  ...leftOut("save_response", "responses are kept of failures alone"),
  ...leftOut("save_error_response", "of each failure the response is kept", true),
  ...leftOut("response_max_length", "of a response its first part is kept", 1024),
};

const ofType: Readonly<Record<string, Fields>> = {
  http,
  keyword: { ...http, ...mapped("invert_keyword keyword") },
  "json-query": {
    ...http,
    ...mapped("expected_value json_path json_path_operator"),
    ...leftOut("retry_only_on_status_code_failure", "every failure is checked again"),
  },
  ping: {
    ...host,
    ...leftOut("packet_size", "echo requests have a size of their own", 56),
    ...leftOut("ping_count", "each run sends one echo request", 1),
    ...leftOut("ping_numeric", "names of hosts are not shown", true),
    ...leftOut("ping_per_request_timeout", "the timeout of the check covers it", 2),
  },
  port: {
    ...hostAndPort,
    ...mapped("expiry_notification ignore_tls smtp_security"),
    ...off("expected_tls_alert", "a handshake that must fail cannot be checked"),
  },
  dns: {
    ...hostAndPort,
    ...mapped("conditions dns_resolve_server dns_resolve_type"),
    ...noSetting("dns_last_result"),
  },
  smtp: { ...hostAndPort, ...mapped("smtp_security") },
  mysql: {
    ...network,
    ...mapped("database_connection_string database_query radius_password"),
    ...leftOut("conditions", "a MYSQL check compares numbers only: set its fields"),
  },
  "sip-options": hostAndPort,
  "websocket-upgrade": {
    ...network,
    ...mapped("accepted_statuscodes_json url"),
    ...off("ws_subprotocol", "the handshake offers no protocol"),
    ...off("ws_ignore_sec_websocket_accept_header", "the answer must prove the handshake"),
  },
  push: mapped("push_token"),
};

/** Fields of a type without an equivalent. */
const portAlone: Fields = {
  ...hostAndPort,
  ...mapped("database_connection_string"),
  ...leftOut("conditions database_query", PORT_ALONE),
};

/** Columns that a form may have left behind, which uptime-kuma does not use for the type of the monitor. */
const unused: Fields = partOf(
  "type",
  Object.values({ ...ofType, portAlone })
    .flatMap((fields) => Object.keys(fields))
    .join(" "),
);

/** Returns the treatment of each column of a monitor. */
export function monitorFields(type: string): Fields {
  const own = Object.hasOwn(ofType, type) ? ofType[type] : portAlone;
  return { ...unsupported, ...unused, ...common, ...own };
}
