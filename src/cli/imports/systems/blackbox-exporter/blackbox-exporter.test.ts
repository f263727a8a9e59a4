import assert from "node:assert/strict";
import { test } from "node:test";

import { importHarness, shownCheck } from "../../../../../test/harnesses/import-harness.ts";

const modules = `
modules:
  http_2xx: {prober: http, timeout: 5s}
  http_text:
    prober: http
    http:
      method: POST
      headers: {X-Key: k}
      valid_status_codes: [200, 404]
      fail_if_body_not_matches_regexp: ["(?i)sign in", "more"]
      preferred_ip_protocol: ip4
      no_follow_redirects: true
      tls_config: {insecure_skip_verify: true}
      basic_auth: {username: ann, password: pass}
      fail_if_not_ssl: true
  re2: {prober: http, http: {fail_if_body_matches_regexp: ["(?s)a.b"], preferred_ip_protocol: ip4, valid_status_codes: [204]}}
  icmp6: {prober: icmp, icmp: {preferred_ip_protocol: ip6, ip_protocol_fallback: false}}
  tcp: {prober: tcp, tcp: {preferred_ip_protocol: ip4}}
  ssh: {prober: tcp, tcp: {preferred_ip_protocol: ip4, query_response: [{expect: "^SSH-2.0-"}]}}
  smtp: {prober: tcp, tcp: {preferred_ip_protocol: ip4, query_response: [{expect: "^220 "}, {send: EHLO}, {starttls: true}]}}
  cert: {prober: tcp, tcp: {preferred_ip_protocol: ip4, tls: true}}
  dns: {prober: dns, dns: {query_name: example.com, transport_protocol: tcp, preferred_ip_protocol: ip4}}
  grpc: {prober: grpc}
`;

const relabel = `
    relabel_configs:
      - {source_labels: [__address__], target_label: __param_target}
      - {source_labels: [__param_target], target_label: instance}
      - {target_label: __address__, replacement: "blackbox:9115"}`;

function job(name: string, module: string, rest: string): string {
  return `
  - job_name: ${name}
    metrics_path: /probe
    params: {module: [${module}]}
    ${rest}`;
}

const prometheus = `
global: {scrape_interval: 30s, scrape_timeout: 8s}
scrape_configs:
  - job_name: node
    static_configs: [{targets: ["192.0.2.1:9100"]}]
${job("web", "http_2xx", 'static_configs: [{targets: ["https://a.example.com/", "b.example.com"], labels: {team: web}}]')}${relabel}
${job("files", "icmp6", "scrape_interval: 2m\n    scrape_timeout: 20s\n    file_sd_configs: [{files: ['targets/hosts*.yml', 'targets/none.yml']}]\n    consul_sd_configs: [{server: x}]")}${relabel}
${["http_text", "re2", "tcp", "ssh", "smtp", "cert", "dns", "grpc", "none"].map((module) => job(module, module, `static_configs: [{targets: ["${module.replace("_", "-")}.example.com:8080"]}]${relabel}`)).join("")}
  - job_name: by label
    metrics_path: /probe
    static_configs: [{targets: ["tcp;c.example.com:5432", "drop;d.example.com:1"]}]
    relabel_configs:
      - {source_labels: [__address__], regex: "drop;.*", action: drop}
      - {source_labels: [__address__], regex: "(.*);(.*)", target_label: __param_module}
      - {source_labels: [__address__], regex: "(.*);(.*)", target_label: __param_target, replacement: "$2"}
      - {regex: "a(.*)", action: labelmap}
`;

const files = {
  "blackbox.yml": modules,
  "prometheus.yml": prometheus,
  "hosts-1.yml": "- {targets: [192.0.2.7], labels: {site: riga}}\n",
};

const quick = { interval: 0.5, threshold: 8, sens: 0 };

test("targets of jobs are checked as their modules say", async () => {
  await using site = await importHarness(files);
  const { notes, absent } = await site.plan("blackbox-exporter");
  const { checks } = await site.imported("blackbox-exporter");
  const of = (module: string): string => `${module.replace("_", "-")}.example.com:8080`;
  const cases: Readonly<
    Record<string, readonly [from: string, becomes: object, ...notes: string[]]>
  > = {
    "https://a.example.com/": [
      "web http_2xx https://a.example.com/",
      {
        ...quick,
        type: "HTTP",
        target: "https://a.example.com/",
        threshold: 5,
        follow: true,
        verify: true,
        tags: ["job:web", "team:web"],
      },
      "changed preferred_ip_protocol",
      "changed status",
    ],
    "b.example.com": [
      "web http_2xx b.example.com",
      {
        ...quick,
        type: "HTTP",
        target: "http://b.example.com/",
        threshold: 5,
        follow: true,
        tags: ["job:web", "team:web"],
      },
      "changed preferred_ip_protocol",
      "changed status",
    ],
    "192.0.2.7": [
      "files icmp6 192.0.2.7",
      {
        type: "PING",
        target: "192.0.2.7",
        interval: 2,
        threshold: 20,
        sens: 0,
        ipv6: true,
        tags: ["job:files", "site:riga"],
      },
    ],
    [of("http_text")]: [
      `http_text http_text ${of("http_text")}`,
      {
        ...quick,
        type: "HTTPADV",
        target: `http://${of("http_text")}/`,
        method: "POST",
        sendheaders: { Authorization: "Basic YW5uOnBhc3M=", "X-Key": "k" },
        contentstring: "[sS][iI][gG][nN] [iI][nN]",
        regex: true,
        enabled: "inactive",
        tags: ["job:http_text"],
      },
      "left out fail_if_not_ssl",
      "left out fail_if_body_matches_regexp",
      "left out status",
    ],
    [of("re2")]: [
      `re2 re2 ${of("re2")}`,
      {
        ...quick,
        type: "HTTPADV",
        target: `http://${of("re2")}/`,
        statuscode: 204,
        follow: true,
        tags: ["job:re2"],
      },
      "left out fail_if_body_matches_regexp",
    ],
    [of("tcp")]: [
      `tcp tcp ${of("tcp")}`,
      { ...quick, type: "PORT", target: "tcp.example.com", port: 8080, tags: ["job:tcp"] },
    ],
    [of("ssh")]: [
      `ssh ssh ${of("ssh")}`,
      { ...quick, type: "SSH", target: "ssh.example.com", port: 8080, tags: ["job:ssh"] },
    ],
    [of("smtp")]: [
      `smtp smtp ${of("smtp")}`,
      {
        ...quick,
        type: "SMTP",
        target: "smtp.example.com",
        port: 8080,
        secure: "starttls",
        tags: ["job:smtp"],
      },
    ],
    [of("cert")]: [
      `cert cert ${of("cert")}`,
      { ...quick, type: "SSL", target: "cert.example.com", port: 8080, tags: ["job:cert"] },
    ],
    [of("dns")]: [
      `dns dns ${of("dns")}`,
      {
        ...quick,
        type: "DNS",
        target: "dns.example.com",
        port: 8080,
        transport: "tcp",
        dnstype: "ANY",
        dnstoresolve: "example.com",
        tags: ["job:dns"],
      },
    ],
    "c.example.com:5432": [
      "by label tcp c.example.com:5432",
      { ...quick, type: "PORT", target: "c.example.com", port: 5432, tags: ["job:by label"] },
    ],
  };
  for (const [label, [from, becomes, ...noted]] of Object.entries(cases)) {
    assert.deepEqual(shownCheck(checks[label]), becomes, label);
    assert.deepEqual(notes[from]?.toSorted(), noted.toSorted(), from);
  }
  assert.equal(Object.keys(checks).length, Object.keys(cases).length);
  assert.match(absent[`grpc ${of("grpc")}`], /grpc do not exist/);
  assert.match(absent[`none ${of("none")}`], /no configuration has the module none/);
  assert.match(absent["by label"], /labelmap is not applied/);
});

test("what of a job is not read is said", async () => {
  await using site = await importHarness(files);
  const { out } = await site.run("blackbox-exporter", "--plan");
  assert.match(out, /^- job files, files: consul_sd_configs: only static_configs/m);
  assert.match(
    out,
    /^- job files, files: file_sd_configs: targets\/none\.yml is not in the folder/m,
  );
});
