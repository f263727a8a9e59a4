import type { JsonObject } from "../../../api-client.ts";
import { basicAuth, httpCheck, type HttpCheckInput } from "../../http-check.ts";
import { noteFields } from "../../fields.ts";
import type { Notes, TypedCheck } from "../../imported.ts";
import { isOn, object, objects, text, texts } from "../../source.ts";
import {
  authorizationFields,
  basicAuthFields,
  dnsFields,
  httpFields,
  icmpFields,
  moduleFields,
  queryFields,
  tcpFields,
  tlsFields,
} from "./fields.ts";

interface Probe {
  readonly settings: JsonObject;
  readonly target: string;
}

const DNS_TYPES = new Set(["A", "AAAA", "ANY", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"]);

/** Converts a module with a target to a check. */
export function moduleToCheck({ settings, target }: Probe, notes: Notes): TypedCheck | string {
  const prober = text(settings.prober) ?? "none";
  const own = object(settings[prober]);
  noteFields(settings, moduleFields, notes);
  if (prober === "http") return httpModule({ settings: own, target }, notes);
  noteProtocol(own, notes);
  if (prober === "icmp") {
    noteFields(own, icmpFields, notes);
    return { type: "PING", target, parameters: ipv6Of(own) };
  }
  if (prober === "tcp") return tcpModule({ settings: own, target }, notes);
  if (prober === "dns") return dnsModule({ settings: own, target }, notes);
  return `modules of ${prober} do not exist here`;
}

/** Theirs prefers IPv6 unless set otherwise. */
function noteProtocol(own: JsonObject, notes: Notes): void {
  if ((text(own.preferred_ip_protocol) ?? "ip6") === "ip6" && own.ip_protocol_fallback !== false)
    notes.changed("preferred_ip_protocol", "IPv6 first becomes IPv4 first");
}

function ipv6Of(own: JsonObject): { ipv6?: true } {
  const isOnly = (text(own.preferred_ip_protocol) ?? "ip6") === "ip6";
  return isOnly && own.ip_protocol_fallback === false ? { ipv6: true } : {};
}

function httpModule({ settings, target }: Probe, notes: Notes): TypedCheck {
  const url = /^https?:\/\//i.test(target) ? target : `http://${target}`;
  noteProtocol(settings, notes);
  const statuses = texts(settings.valid_status_codes);
  const tls = object(settings.tls_config);
  const [basic, authorization] = [object(settings.basic_auth), object(settings.authorization)];
  const user = text(basic.username);
  const [bearer, credentials] = [text(settings.bearer_token), text(authorization.credentials)];
  noteFields(settings, httpFields, notes);
  noteFields(basic, basicAuthFields, notes, "basic_auth.");
  noteFields(authorization, authorizationFields, notes, "authorization.");
  noteFields(tls, tlsFields, notes, "tls_config.");
  const check = httpCheck(
    {
      url,
      method: text(settings.method),
      headers: {
        ...(user !== undefined && {
          Authorization: basicAuth(user, text(basic.password) ?? ""),
        }),
        ...(credentials !== undefined && {
          Authorization: `${text(authorization.type) ?? "Bearer"} ${credentials}`,
        }),
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...Object.fromEntries(
          Object.entries(object(settings.headers)).map(([name, value]) => [name, String(value)]),
        ),
      },
      body: text(settings.body),
      follow: !isOn(settings.no_follow_redirects) && settings.follow_redirects !== false,
      verify: !isOn(tls.insecure_skip_verify),
      statuses: statuses.length === 0 ? ["2xx"] : statuses,
      ...contentOf(settings, notes),
      ...(ipv6Of(settings).ipv6 === true && { ipv6: true }),
    },
    notes,
  );
  return { type: check.type, target: url, parameters: check.parameters };
}

function contentOf(settings: JsonObject, notes: Notes): Pick<HttpCheckInput, "content"> {
  const present = texts(settings.fail_if_body_not_matches_regexp);
  const missing = texts(settings.fail_if_body_matches_regexp);
  const wanted = [
    ...present.map((regex) => ({ regex, isAbsent: false })),
    ...missing.map((regex) => ({ regex, isAbsent: true })),
  ];
  const [first, ...others] = wanted;
  if (others.length > 0)
    notes.leftOut(
      "fail_if_body_matches_regexp",
      `one expression can be looked for, not ${others.map(({ regex }) => regex).join(", ")}`,
    );
  if (first === undefined) return {};
  const { regex, isAbsent } = first;
  const [, plain] = /^\(\?i\)([\w\s-]*)$/.exec(regex) ?? [];
  if (plain !== undefined) return { content: { text: plain, isAbsent, ignoresCase: true } };
  if (/\(\?[a-zA-Z-]*[imsU][:)]|\\[zQE]|\[\[:/.test(regex)) {
    notes.leftOut("fail_if_body_matches_regexp", `${regex}: RE2 has what is not known here`);
    return {};
  }
  return { content: { text: regex, isAbsent, isRegex: true } };
}

function tcpModule({ settings, target }: Probe, notes: Notes): TypedCheck | string {
  const url = URL.parse(`tcp://${target}`);
  if (url === null || url.port === "") return `no host and port: ${target}`;
  const [host, port] = [url.hostname, Number(url.port)];
  const steps = objects(settings.query_response);
  noteFields(settings, tcpFields, notes);
  for (const step of steps) noteFields(step, queryFields, notes, "query_response.");
  if (isOn(settings.tls)) noteFields(object(settings.tls_config), tlsFields, notes, "tls_config.");
  const expected = steps.flatMap(({ expect }) => text(expect) ?? []);
  const isStartTls = steps.some(({ starttls }) => isOn(starttls));
  const [first = ""] = expected;
  if (/^\^?SSH/.test(first)) return { type: "SSH", target: host, parameters: { port } };
  if (/^\^?220/.test(first))
    return {
      type: "SMTP",
      target: host,
      parameters: { port, ...(isStartTls && { secure: "starttls" }) },
    };
  if (steps.length > 0) notes.leftOut("query_response", "only the port is checked");
  if (isOn(settings.tls)) return { type: "SSL", target: host, parameters: { port } };
  return { type: "PORT", target: host, parameters: { port, ...ipv6Of(settings) } };
}

/** The target is the server that is asked. */
function dnsModule({ settings, target }: Probe, notes: Notes): TypedCheck | string {
  const dnstype = text(settings.query_type) ?? "ANY";
  if (!DNS_TYPES.has(dnstype)) return `records of type ${dnstype} cannot be looked up here`;
  const url = URL.parse(`dns://${target}`);
  noteFields(settings, dnsFields, notes);
  const rcodes = texts(settings.valid_rcodes);
  if (rcodes.some((rcode) => rcode !== "NOERROR"))
    notes.off("valid_rcodes", "an error is always a failure");
  const transport = text(settings.transport_protocol);
  return {
    type: "DNS",
    target: url?.hostname || target,
    parameters: {
      ...(url?.port !== undefined && url.port !== "" && { port: Number(url.port) }),
      ...(transport === "tcp" && { transport }),
      dnstype,
      dnstoresolve: text(settings.query_name) ?? "",
      ...(settings.recursion_desired === false && { dnsrd: false }),
    },
  };
}
