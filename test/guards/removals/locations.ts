import type { Guard } from "../guard.ts";

/** What other machines of the installation may do, and what they say. */
export const locationsGuards: Readonly<Record<string, Guard>> = {
  "subjects that a location publishes": {
    file: "src/cli/nats-user.ts",
    text: "publish: [`reply.${location}.>`, `presence.at.${location}`],",
    without: 'publish: ["reply.>", "presence.>"],',
    test: {
      file: "src/bus/nats/permissions.test.ts",
      name: "a probe cannot publish a reply of another location, whose subject it knows",
    },
  },
  "subjects that a location receives": {
    file: "src/cli/nats-user.ts",
    text: 'subscribe: [`job.${location}.* probe`, "presence.ask"],',
    without: 'subscribe: [">"],',
    test: {
      file: "src/bus/nats/permissions.test.ts",
      name: "a probe cannot subscribe to the jobs of another location",
    },
  },
  "keys of locations": {
    file: "src/bus/location-key.ts",
    text: '`location ${location} region ${region ?? "every"} generation ${generation}`',
    without: '"location"',
    test: {
      file: "src/bus/location-key.test.ts",
      name: "what the service seals opens with the key that the location was given, and with no other",
    },
  },
  "regions of locations": {
    file: "src/bus/location-key.ts",
    text: ' region ${region ?? "every"}',
    without: "",
    test: {
      file: "src/bus/nats/hostile-location.test.ts",
      name: "cannot be in another region: what says so is not believed, and no job of that region is sent to it",
    },
  },
  "probes of a location": {
    file: "src/bus/nats/presence.ts",
    text: "if (!probes.has(beat.instance) && probes.size >= MOST_PROBES) return onRefused();",
    without: "",
    test: {
      file: "src/bus/nats/presence.test.ts",
      name: "probes beyond the number that is kept are refused, until one that is silent makes room",
    },
  },
  "versions that probes say": {
    file: "src/bus/nats/messages.ts",
    text: ".regex(/^[\\w.+-]{1,40}$/)",
    without: "",
    test: {
      file: "src/bus/nats/messages.test.ts",
      name: "a beat says the version of its program, and is read without it where that is none",
    },
  },
  "messages of a location": {
    file: "src/bus/nats/location-link.ts",
    text: 'if (!unasked.isUsedUp("", MOST_UNASKED)) return true;',
    without: "if (true) return true;",
    test: {
      file: "src/bus/nats/hostile-location.test.ts",
      name: "is cut off for a while by a flood of junk as presence, and no other location loses a job",
    },
  },
  "messages of unknown locations": {
    file: "src/bus/nats/discovery.ts",
    text: "if (heard.isUsedUp(ALL, MOST_BEATS)) return rest(location);",
    without: "",
    test: {
      file: "src/bus/nats/hostile-location.test.ts",
      name: "delays the search for new locations alone where none of its keys is good",
    },
  },
  "sizes of beats": {
    file: "src/bus/nats/messages.ts",
    text: "if (data.length > MOST_BEAT_BYTES) return undefined;",
    without: "",
    test: {
      file: "src/bus/nats/messages.test.ts",
      name: "a beat is read with the key that it names, by the size that one has",
    },
  },
  "times of reports": {
    file: "src/bus/nats/messages.ts",
    text: 'if (answer.kind === "report") assertWithin(answer.report, withinMs);',
    without: "",
    test: {
      file: "src/bus/nats/messages.test.ts",
      name: "whatever a location answers is refused, or is within every bound",
    },
  },
  "texts of reports": {
    file: "src/domain/run/outcome.ts",
    text: "return text.slice(0, most)",
    without: "return text",
    test: {
      file: "src/bus/nats/messages.test.ts",
      name: "texts are clipped to what our own probes send, and stored as they are",
    },
  },
  "what a message was sealed for": {
    file: "src/kit/crypto/seal.ts",
    text: "decipher.setAAD(Buffer.from(context));",
    without: "",
    test: {
      file: "src/kit/crypto/seal.test.ts",
      name: "what was sealed in a context opens in no other one",
    },
  },
  "the fence of a controller": {
    file: "src/store/postgres/units.ts",
    text: "if (!isController) throw new Fenced();",
    without: "",
    test: {
      file: "src/store/postgres/postgres-store.test.ts",
      name: "a controller that was taken over from stores neither a unit nor a result",
    },
  },
  "control queries that runs share": {
    file: "src/kit/net/resolver-control.ts",
    text: "next ??= current.then(control);",
    without: "next = control();",
    test: {
      file: "src/probe/own-trouble.long.test.ts",
      name: "all runs whose lookup fails at a moment share a control query",
    },
  },
  "witnesses that are run once in a second": {
    file: "src/controller/confirm/location-sight.ts",
    text: "if (waitMs > 0) await sleep(clock, waitMs);",
    without: "",
    test: {
      file: "src/controller/confirm/location-sight.test.ts",
      name: "witnesses are run once in a second, however many checks fail",
    },
  },
};
