import { testImport, type ImportCase } from "../../../../test/harnesses/import-cases.ts";

const page = "https://www.example.com/";

const robot2 = {
  sub_type: "",
  keyword_type: "",
  keyword_case_type: "",
  keyword_value: "",
  http_username: "",
  port: "",
  interval: 300,
  timeout: 30,
  status: 2,
};
const robot3 = {
  interval: 300,
  timeout: 30,
  status: "UP",
  followRedirections: true,
  checkSSLErrors: true,
  httpMethodType: "GET",
  successHttpResponseCodes: ["2xx", "3xx"],
  keywordValue: "",
  config: null,
};
const five = { interval: 5, threshold: 30 };

const cases: readonly ImportCase[] = [
  {
    title: "UptimeRobot, version 2",
    system: "uptimerobot",
    files: {
      "monitors.json": {
        stat: "ok",
        monitors: [
          {
            ...robot2,
            id: 1,
            friendly_name: "Shop &amp; &#39;more&#39;",
            url: page,
            type: 1,
            alert_contacts: [
              { id: "9", threshold: 3, recurrence: 10, type: 2, value: "a@example.com" },
            ],
          },
          {
            ...robot2,
            id: 2,
            friendly_name: "exists",
            url: page,
            type: 2,
            keyword_type: 1,
            keyword_case_type: 1,
            keyword_value: "a.b",
          },
          {
            ...robot2,
            id: 3,
            friendly_name: "missing",
            url: page,
            type: 2,
            keyword_type: 2,
            keyword_value: "ok",
          },
          { ...robot2, id: 4, friendly_name: "gw", url: "192.0.2.1", type: 3, status: 0 },
          {
            ...robot2,
            id: 5,
            friendly_name: "ftp",
            url: "ftp.example.com",
            type: 4,
            sub_type: "3",
          },
          {
            ...robot2,
            id: 6,
            friendly_name: "own port",
            url: "a.example.com",
            type: 4,
            sub_type: 99,
            port: "8443",
          },
          {
            ...robot2,
            id: 7,
            friendly_name: "beat",
            url: "https://heartbeat.uptimerobot.com/m794-0123456789abcdef0123",
            type: 5,
          },
          { ...robot2, id: 8, friendly_name: "new kind", url: page, type: 77 },
        ],
      },
    },
    checks: {
      "Shop & 'more'": [
        "1",
        { ...five, type: "HTTP", target: page, follow: true },
        "left out recurrence",
      ],
      exists: [
        "2",
        {
          ...five,
          type: "HTTPCONTENT",
          target: page,
          follow: true,
          contentstring: String.raw`[aA]\.[bB]`,
          regex: true,
          invert: true,
        },
      ],
      missing: [
        "3",
        { ...five, type: "HTTPCONTENT", target: page, follow: true, contentstring: "ok" },
      ],
      gw: ["4", { ...five, type: "PING", target: "192.0.2.1", enabled: "inactive" }],
      ftp: ["5", { ...five, type: "PORT", target: "ftp.example.com", port: 21 }],
      "own port": ["6", { ...five, type: "PORT", target: "a.example.com", port: 8443 }],
      beat: [
        "7",
        { type: "PUSH", interval: 5, threshold: 5, sens: 1, grace: 0.25, oldresultfail: true },
      ],
    },
    absent: { 8: /number 77 do not exist/ },
    contacts: { "a@example.com": ["a@example.com"] },
    delays: { "Shop & 'more'": [3] },
  },
  {
    title: "UptimeRobot, version 3",
    system: "uptimerobot",
    files: {
      "page-1.json": {
        data: [
          { ...robot3, id: 1, friendlyName: "site", type: "HTTP", url: page },
          {
            ...robot3,
            id: 2,
            friendlyName: "exists",
            type: "KEYWORD",
            url: page,
            keywordType: "ALERT_EXISTS",
            keywordCaseType: 0,
            keywordValue: "Error",
            config: { applicationErrorRetries: 2 },
            tags: [{ name: "web" }],
            sslExpirationReminder: true,
          },
        ],
        nextLink: "x",
      },
      "page-2.json": {
        data: [
          {
            ...robot3,
            id: 3,
            friendlyName: "beat",
            type: "HEARTBEAT",
            status: "PAUSED",
            interval: 3600,
            gracePeriod: 300,
          },
          {
            ...robot3,
            id: 4,
            friendlyName: "codes",
            type: "HTTP",
            url: page,
            successHttpResponseCodes: ["2xx", "404"],
          },
        ],
      },
    },
    checks: {
      site: ["1", { ...five, type: "HTTP", target: page, follow: true, verify: true }],
      exists: [
        "2",
        {
          ...five,
          type: "HTTPCONTENT",
          target: page,
          sens: 2,
          follow: true,
          verify: true,
          contentstring: "Error",
          invert: true,
          tags: ["web"],
        },
        "left out sslExpirationReminder",
      ],
      beat: [
        "3",
        {
          type: "PUSH",
          interval: 60,
          threshold: 5,
          sens: 1,
          grace: 5,
          oldresultfail: true,
          enabled: "inactive",
        },
        "left out url",
      ],
      codes: [
        "4",
        { ...five, type: "HTTP", target: page, follow: true, verify: true, enabled: "inactive" },
        "left out status",
      ],
    },
  },
];

for (const each of cases) testImport(each);
