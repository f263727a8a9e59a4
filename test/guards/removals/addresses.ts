import type { Guard } from "../guard.ts";

/** Which addresses are dialled, and what is sent to them. */
export const addressesGuards: Readonly<Record<string, Guard>> = {
  "private addresses": {
    file: "src/kit/net/egress.ts",
    text: 'mode === "public" && !isGlobal(parsed)',
    without: "false",
    test: { file: "src/kit/net/egress.test.ts", name: "public egress refuses 10.0.0.1" },
  },
  "link-local and metadata addresses": {
    file: "src/kit/net/egress.ts",
    text: "if (isForbidden(parsed))",
    without: "if (false)",
    test: { file: "src/kit/net/egress.test.ts", name: "private egress refuses 169.254.169.254" },
  },
  "hosts in one spelling": {
    file: "src/kit/net/host.ts",
    text: "URL.parse(`http://${text}`)?.hostname",
    without: "text",
    test: { file: "src/kit/net/egress.test.ts", name: "public egress refuses 2130706433" },
  },
  "hosts without user info": {
    file: "src/kit/net/host.ts",
    text: "if (NOT_IN_A_HOST.test(text)) return undefined;",
    without: "",
    test: {
      file: "src/kit/net/egress.test.ts",
      name: 'what is no host is never resolved: "good@169.254.169.254"',
    },
  },
  "all addresses of a name": {
    file: "src/kit/net/egress.ts",
    text: "for (const address of addresses) {",
    without: "for (const address of addresses.slice(0, 1)) {",
    test: {
      file: "src/kit/net/egress.test.ts",
      name: "one refused address among the answers refuses the name",
    },
  },
  "the address that was judged is dialled": {
    file: "src/kit/net/dial.ts",
    text: "connectTcp({ host: address, port })",
    without: "connectTcp({ host, port })",
    test: {
      file: "src/kit/http/exchange.test.ts",
      name: "the address that egress gave is dialled, whatever the name is",
    },
  },
  "egress of diagnostics": {
    file: "src/checks/diagnostics.ts",
    text: "await context.egress.resolve(host, { family, signal: context.signal })",
    without: "{ address: host, family: 4 as const }",
    test: { file: "src/checks/diagnostics.test.ts", name: "what policy refuses is not looked at" },
  },
  "schemes of requests": {
    file: "src/kit/http/request-head.ts",
    text: 'if (protocol !== "http:" && protocol !== "https:")',
    without: "if (false)",
    test: {
      file: "src/kit/http/exchange.test.ts",
      name: "a scheme that is not of the web is refused",
    },
  },
  "tunnels lead to the target alone": {
    file: "src/kit/http/request-head.ts",
    text: 'method === "CONNECT" ? authorityOf(url) : `',
    without: "`",
    test: {
      file: "src/checks/http/httpadv.test.ts",
      name: "a tunnel is asked for to the target itself, with no body",
    },
  },
  "credentials stay within their origin": {
    file: "src/checks/http/fetch-target.ts",
    text: "url.origin === request.url.origin ? { ...request, url } : toOtherOrigin(request, url)",
    without: "({ ...request, url })",
    test: {
      file: "src/checks/http/httpadv.test.ts",
      name: "what is secret goes along within its origin and not beyond it",
    },
  },
  "cookies stay with their host": {
    file: "src/checks/http/run-cookies.ts",
    text: "(hostname === host || (withSubdomains && isBelow(hostname, host))) &&",
    without: "true &&",
    test: {
      file: "src/checks/http/run-cookies.test.ts",
      name: "a page that redirects to itself until its cookie comes back is reached, and no cookie goes to another host",
    },
  },
  "IPv4 addresses in IPv6": {
    file: "src/kit/net/embedded-ipv4.ts",
    text: "IPV4_EMBEDDINGS.find(({ range }) => within(address, range))",
    without: "IPV4_EMBEDDINGS.find(() => false)",
    test: {
      file: "src/kit/net/egress.test.ts",
      name: "private egress refuses ::ffff:169.254.169.254",
    },
  },
  "egress of checks": {
    file: "src/kit/net/dial.ts",
    text: "await egress\n    .resolve(host, { family, port, path, signal })\n    .catch",
    without: "await Promise.resolve({ address: host, family: 4 as const }).catch",
    test: {
      file: "src/checks/port.test.ts",
      name: "PORT says blocked, and opens nothing, where egress refuses its target",
    },
  },
  "egress of redirects": {
    file: "src/kit/net/dial.ts",
    text: "await egress\n    .resolve(host, { family, port, path, signal })\n    .catch",
    without: "await Promise.resolve({ address: host, family: 4 as const }).catch",
    test: {
      file: "src/checks/http/http.test.ts",
      name: "a redirect to a refused address is blocked, not followed and not a failure of its own",
    },
  },
  "egress of webhooks": {
    file: "src/kit/net/dial.ts",
    text: "await egress\n    .resolve(host, { family, port, path, signal })\n    .catch",
    without: "await Promise.resolve({ address: host, family: 4 as const }).catch",
    test: {
      file: "src/channels/webhook.test.ts",
      name: "an address that the egress policy refuses is never dialled, and not tried again",
    },
  },
  "egress of pings": {
    file: "src/kit/net/dial.ts",
    text: "await egress\n    .resolve(host, { family, port, path, signal })\n    .catch",
    without: "await Promise.resolve({ address: host, family: 4 as const }).catch",
    test: { file: "src/checks/icmp/ping.test.ts", name: "a target that egress refuses is blocked" },
  },
  "webhooks never lead to this installation": {
    file: "src/channels/webhook/loop-guard.ts",
    text: "if (leadsBack || isBelow(own, url))",
    without: "if (leadsBack)",
    test: {
      file: "src/channels/webhook.test.ts",
      name: "a label cannot lead a webhook to this installation itself",
    },
  },
  "spellings of this installation": {
    file: "src/channels/webhook/loop-guard.ts",
    text: "if (leadsBack || isBelow(own, url))",
    without: "if (isBelow(own, url))",
    test: {
      file: "src/channels/webhook.test.ts",
      name: "a webhook to [::ffff:127.0.0.1] at our own port is refused, and at another port is not",
    },
  },
  "other processes of this installation": {
    file: "src/kit/net/own-listener.ts",
    text: "[...(own === undefined ? [] : [own]), ...others].some(",
    without: "[...(own === undefined ? [] : [own])].some(",
    test: {
      file: "src/kit/net/own-policy.test.ts",
      name: "an alert does not reach a process on another machine",
    },
  },
  "names of this installation": {
    file: "src/kit/net/egress.ts",
    text: "const refusal = leadsBack ? own?.refusal(path) : undefined;",
    without: "const refusal: string | undefined = undefined;",
    test: {
      file: "src/channels/webhook.test.ts",
      name: "a name that leads to our own listener is refused when it is dialled, and not tried again",
    },
  },
  "commands of this installation": {
    file: "src/kit/net/own-policy.ts",
    text: "path !== undefined && isCommand(path)",
    without: "false",
    test: {
      file: "src/kit/net/own-policy.test.ts",
      name: "a check does not request /v1 of this installation",
    },
  },
  "arguments of ping": {
    file: "src/checks/icmp/ping-program.ts",
    text: '"--", address]',
    without: "address]",
    test: { file: "test/program-arguments.test.ts", name: "ping takes no address for an option" },
  },
  "arguments of mtr": {
    file: "src/checks/diagnostics/route.ts",
    text: '      "--",\n      address,',
    without: "      address,",
    test: { file: "test/program-arguments.test.ts", name: "mtr takes no address for an option" },
  },
  "arguments of traceroute": {
    file: "src/checks/diagnostics/route.ts",
    text: '"--", address]',
    without: "address]",
    test: {
      file: "test/program-arguments.test.ts",
      name: "traceroute takes no address for an option",
    },
  },
  "what names lead to": {
    file: "src/checks/dns/disclosure.ts",
    text: "if (!(await isAllowed(address, context)))",
    without: "if (false)",
    test: {
      file: "src/checks/dns/disclosure.test.ts",
      name: "the refusal of a block list does not tell what a name leads to",
    },
  },
};
