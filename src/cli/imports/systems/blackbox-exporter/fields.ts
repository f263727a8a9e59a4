import { leftOut, mapped, off, partOf, type Fields } from "../../fields.ts";

const FEWER_FAILURES = "it is not checked";
const NO_FILES = "files that a configuration names are not read";

const protocol: Fields = mapped("ip_protocol_fallback preferred_ip_protocol");
const source: Fields = leftOut("source_ip_address", "runs use the address of their location");

export const moduleFields: Fields = mapped("dns grpc http icmp prober tcp timeout");

export const httpFields: Fields = {
  ...protocol,
  ...mapped(
    `authorization basic_auth bearer_token body fail_if_body_matches_regexp
    fail_if_body_not_matches_regexp follow_redirects headers method no_follow_redirects tls_config
    valid_status_codes`,
  ),
  ...leftOut(
    `fail_if_body_json_matches_cel fail_if_body_json_not_matches_cel fail_if_header_matches
    fail_if_header_not_matches fail_if_not_ssl fail_if_ssl valid_http_versions`,
    FEWER_FAILURES,
  ),
  ...leftOut("body_size_limit", "of a response the first part is read"),
  ...leftOut("compression", "responses are asked for as they are"),
  ...leftOut("enable_http2", "requests are HTTP/1.1", true),
  ...off("oauth2", "checks cannot sign in that way"),
  ...off("proxy_url", "checks use no proxy"),
  ...off("proxy_from_environment", "checks use no proxy"),
  ...partOf("proxy_url", "no_proxy proxy_connect_header skip_resolve_phase_with_proxy"),
  ...off("bearer_token_file body_file", NO_FILES),
  ...off("http_headers", "set sendheaders"),
};

export const basicAuthFields: Fields = {
  ...mapped("password username"),
  ...off("password_file username_file", NO_FILES),
};

export const authorizationFields: Fields = {
  ...mapped("credentials type"),
  ...off("credentials_file", NO_FILES),
};

export const tlsFields: Fields = {
  ...mapped("insecure_skip_verify"),
  ...off("ca ca_file", "certificates are verified by those of the system"),
  ...off("cert cert_file key key_file", "set clientcert"),
  ...off("server_name", "the certificate must be that of the host"),
  ...leftOut("max_version min_version", "every version of TLS is taken"),
};

export const tcpFields: Fields = {
  ...protocol,
  ...source,
  ...mapped("query_response tls tls_config"),
};

export const queryFields: Fields = {
  ...mapped("expect starttls"),
  ...partOf("expect", "expect_bytes labels send"),
};

export const icmpFields: Fields = {
  ...protocol,
  ...source,
  ...leftOut("dont_fragment payload_size ttl", "echo requests have a form of their own"),
};

export const dnsFields: Fields = {
  ...protocol,
  ...source,
  ...mapped("query_name query_type recursion_desired transport_protocol valid_rcodes"),
  ...off("dns_over_tls", "servers are asked without TLS"),
  ...partOf("dns_over_tls", "tls_config"),
  ...off("query_class", "only the class IN is asked for", "IN"),
  ...leftOut(
    "validate_additional_rrs validate_answer_rrs validate_authority_rrs",
    "records are not compared by expressions: set contentstring",
  ),
};

/** How Prometheus asks the exporter, and keeps what it answers, has no counterpart. */
export const jobFields: Fields = {
  ...mapped(
    `file_sd_configs job_name metrics_path params relabel_configs scrape_interval scrape_timeout
    static_configs`,
  ),
  ...partOf(
    "metrics_path",
    `authorization basic_auth body_size_limit enable_compression enable_http2 fallback_scrape_protocol
    follow_redirects honor_labels honor_timestamps keep_dropped_targets label_limit
    label_name_length_limit label_value_length_limit metric_relabel_configs no_proxy oauth2
    proxy_connect_header proxy_from_environment proxy_url sample_limit scheme scrape_protocols
    target_limit tls_config track_timestamps_staleness`,
  ),
};
