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
    text: "instance.deriveKey(`location ${location} generation ${generation}`)",
    without: 'instance.deriveKey("location")',
    test: {
      file: "src/bus/location-key.test.ts",
      name: "what the service seals opens with the key that the location was given, and with no other",
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
    text: "if (controllerId !== undefined && !(await lockController(connection, controllerId)))",
    without: "if (false)",
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
      file: "src/probe/own-trouble.test.ts",
      name: "all runs whose lookup fails at a moment share a control query",
    },
  },
  "witnesses that are run once in a second": {
    file: "src/confirm/location-sight.ts",
    text: "if (waitMs > 0) await sleep(clock, waitMs);",
    without: "",
    test: {
      file: "src/confirm/location-sight.test.ts",
      name: "witnesses are run once in a second, however many checks fail",
    },
  },
};
