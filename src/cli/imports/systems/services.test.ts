import { testImport, type ImportCase } from "../../../../test/harnesses/import-cases.ts";

const page = "https://www.example.com/";

const five = { interval: 5, threshold: 30 };
const pingdomCheck = { resolution: 5, status: "up", hostname: "www.example.com" };
const stack = {
  check_frequency: 180,
  request_timeout: 30,
  verify_ssl: true,
  follow_redirects: true,
  http_method: "get",
  paused: false,
};
const cake = { check_rate: 300, timeout: 15, confirmation: 2, trigger_rate: 5, paused: false };

const cases: readonly ImportCase[] = [
  {
    title: "Pingdom",
    system: "pingdom",
    files: {
      "1.json": {
        check: {
          ...pingdomCheck,
          id: 1,
          name: "site",
          sendnotificationwhendown: 3,
          userids: [7],
          tags: [{ name: "web", type: "u" }],
          type: {
            http: {
              url: "/shop",
              encryption: true,
              port: 8443,
              shouldnotcontain: "Error",
              username: "ann",
              password: "pass",
              verify_certificate: true,
              ssl_down_days_before: 7,
            },
          },
        },
      },
      "2.json": {
        check: { ...pingdomCheck, id: 2, name: "plain", type: { http: { encryption: false } } },
      },
      "3.json": {
        check: {
          ...pingdomCheck,
          id: 3,
          name: "mail",
          status: "paused",
          type: { imap: { port: 993, encryption: true, stringtoexpect: "OK" } },
        },
      },
      "4.json": { checks: [{ id: 4, name: "listed", type: "http", hostname: "a.example.com" }] },
      "5.json": {
        check: {
          ...pingdomCheck,
          id: 5,
          name: "name",
          type: { dns: { nameserver: "192.0.2.53", expectedip: "192.0.2.1" } },
        },
      },
    },
    checks: {
      site: [
        "1",
        {
          ...five,
          type: "HTTPADV",
          target: "https://www.example.com:8443/shop",
          follow: true,
          verify: true,
          warningdays: 7,
          sendheaders: { Authorization: "Basic YW5uOnBhc3M=" },
          contentstring: "Error",
          invert: true,
          tags: ["web"],
        },
        "changed sendnotificationwhendown",
        "left out userids",
      ],
      plain: ["2", { ...five, type: "HTTP", target: "http://www.example.com/", follow: true }],
      mail: [
        "3",
        {
          ...five,
          type: "IMAP4",
          target: "www.example.com",
          port: 993,
          secure: "ssl",
          enabled: "inactive",
        },
        "left out stringtoexpect",
      ],
      name: [
        "5",
        {
          ...five,
          type: "DNS",
          target: "192.0.2.53",
          dnstoresolve: "www.example.com",
          contentstring: "192.0.2.1",
        },
      ],
    },
    absent: { 4: /GET \/checks\/<id>/ },
  },
  {
    title: "Better Stack",
    system: "betterstack",
    files: {
      "monitors.json": {
        data: [
          {
            id: "1",
            type: "monitor",
            attributes: {
              ...stack,
              url: page,
              pronounceable_name: "site",
              monitor_type: "expected_status_code",
              expected_status_codes: [204],
              confirmation_period: 90,
              ssl_expiration: 14,
              email: true,
            },
          },
          {
            id: "2",
            type: "monitor",
            attributes: {
              ...stack,
              url: "mail.example.com",
              pronounceable_name: "mail",
              monitor_type: "smtp",
              port: "25,465",
              request_timeout: 5000,
              paused: true,
            },
          },
          {
            id: "3",
            type: "monitor",
            attributes: {
              ...stack,
              url: "192.0.2.53",
              pronounceable_name: "name",
              monitor_type: "dns",
              request_body: "example.com",
              request_timeout: 1500,
            },
          },
          {
            id: "4",
            type: "monitor",
            attributes: {
              ...stack,
              url: page,
              pronounceable_name: "script",
              monitor_type: "playwright",
            },
          },
        ],
      },
      "heartbeats.json": {
        data: [
          {
            id: "1",
            type: "heartbeat",
            attributes: {
              url: "https://uptime.betterstack.com/api/v1/heartbeat/kJ3mZq8pXw2VtB5nR7sY1cDf",
              name: "backup",
              period: 10_800,
              grace: 300,
              paused: false,
            },
          },
        ],
      },
    },
    checks: {
      site: [
        "monitor-1",
        {
          type: "HTTPADV",
          target: page,
          interval: 3,
          threshold: 30,
          follow: true,
          verify: true,
          statuscode: 204,
        },
        "left out ssl_expiration",
        "left out email",
        "changed confirmation_period",
      ],
      "mail 25": [
        "monitor-2-25",
        {
          type: "SMTP",
          target: "mail.example.com",
          interval: 3,
          threshold: 5,
          port: 25,
          enabled: "inactive",
        },
        "changed port",
      ],
      "mail 465": [
        "monitor-2-465",
        {
          type: "SMTP",
          target: "mail.example.com",
          interval: 3,
          threshold: 5,
          port: 465,
          secure: "ssl",
          enabled: "inactive",
        },
        "changed port",
      ],
      name: [
        "monitor-3",
        {
          type: "DNS",
          target: "192.0.2.53",
          interval: 3,
          threshold: 2,
          dnstoresolve: "example.com",
        },
        "changed timeout",
      ],
      backup: [
        "heartbeat-1",
        { type: "PUSH", interval: 180, threshold: 5, sens: 1, grace: 5, oldresultfail: true },
      ],
    },
    absent: { "monitor-4": /playwright do not exist/ },
  },
  {
    title: "StatusCake",
    system: "statuscake",
    files: {
      "1.json": {
        data: {
          ...cake,
          id: "1",
          name: "site",
          test_type: "HTTP",
          website_url: page,
          status_codes: ["204", "404", "500"],
          find_string: "Error",
          do_not_find: true,
          follow_redirects: true,
          contact_groups: ["12", "13"],
          tags: ["prod"],
          basic_username: "ann",
        },
      },
      "2.json": {
        data: {
          ...cake,
          id: "2",
          name: "constant",
          test_type: "TCP",
          website_url: "db.example.com",
          port: 5432,
          check_rate: 0,
          paused: true,
        },
      },
      "groups.json": {
        data: [{ id: "12", name: "Ops", email_addresses: ["a@example.com"], mobile_numbers: [] }],
      },
    },
    checks: {
      site: [
        "1",
        {
          type: "HTTPCONTENT",
          target: page,
          interval: 5,
          threshold: 15,
          sens: 2,
          follow: true,
          contentstring: "Error",
          invert: true,
          tags: ["prod"],
          enabled: "inactive",
        },
        "left out status_codes",
        "changed status_codes",
        "left out basic_username",
        "left out contact_groups",
      ],
      constant: [
        "2",
        {
          type: "PORT",
          target: "db.example.com",
          port: 5432,
          interval: 0.25,
          threshold: 15,
          sens: 2,
          enabled: "inactive",
        },
        "changed check_rate",
      ],
    },
    contacts: { Ops: ["a@example.com"] },
    delays: { site: [5] },
  },
  {
    title: "NodePing",
    system: "nodeping",
    files: {
      "checks.json": {
        "2011-A": {
          _id: "2011-A",
          _rev: "1-a",
          customer_id: "2011",
          label: "site",
          type: "HTTPCONTENT",
          interval: 0.5,
          enable: "active",
          public: false,
          parameters: {
            target: page,
            threshold: 7,
            sens: 2,
            contentstring: "Sign in",
            follow: true,
          },
          notifications: [{ "2011-C": { schedule: "Days", delay: 5 } }, { AD: "All" }],
          dep: "2011-B",
          uuid: "u",
          state: 1,
        },
        "2011-B": {
          _id: "2011-B",
          label: "cluster",
          type: "CLUSTER",
          parameters: {},
          enable: "active",
        },
      },
      "contacts.json": {
        "2011-C": {
          _id: "2011-C",
          name: "Ann",
          custrole: "notify",
          addresses: { X: { type: "email", address: "a@example.com" } },
        },
        "2011-D": {
          _id: "2011-D",
          name: "Ben",
          custrole: "owner",
          addresses: { AD: { type: "email", address: "b@example.com" } },
        },
      },
    },
    checks: {
      site: [
        "2011-A",
        {
          type: "HTTPCONTENT",
          target: page,
          interval: 0.5,
          threshold: 7,
          sens: 2,
          follow: true,
          contentstring: "Sign in",
        },
        "left out dep",
        "left out notifications",
        "changed notifications",
      ],
    },
    absent: { "2011-B": /CLUSTER do not exist/ },
    contacts: { Ann: ["a@example.com"], Ben: ["b@example.com"] },
    delays: { site: [5, 0] },
  },
];

for (const each of cases) testImport(each);
