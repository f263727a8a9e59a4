import assert from "node:assert/strict";
import test from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import {
  createResolverControl,
  type ResolverControl,
  type Unanswered,
} from "./resolver-control.ts";

const PUBLIC = ["93.184.216.34"];
const PRIVATE = ["10.0.0.7"];

type Code = "ENOTFOUND" | "ENODATA" | "ESERVFAIL" | "EREFUSED";

/** A control whose resolver answers as the zone of a name says, which has the longest name that it ends with; and what it was asked. */
function controlled(zones: Record<string, Code | "found">) {
  const clock = fakeClock();
  const asked: string[] = [];
  const control = createResolverControl({
    clock,
    ask(name) {
      asked.push(name);
      const zone = Object.keys(zones)
        .filter((each) => name === each || name.endsWith(`.${each}`))
        .toSorted((one, other) => other.length - one.length)
        .at(0);
      const code = zone === undefined ? "ESERVFAIL" : (zones[zone] ?? "ESERVFAIL");
      return code === "found"
        ? Promise.resolve(PUBLIC)
        : Promise.reject(Object.assign(new Error(code), { code }));
    },
  });
  return { control, asked, zones, clock };
}

interface Row {
  readonly name: string;
  readonly zones: Record<string, Code | "found">;
  readonly publicNames?: readonly string[];
  readonly privateNames?: readonly string[];
  readonly lost?: string;
  readonly unanswered?: Unanswered;
  readonly works: boolean;
}

const rows: readonly Row[] = [
  {
    name: "a top-level domain that knows no such name shows that the resolver works",
    zones: { net: "ENOTFOUND", "example.net": "ESERVFAIL" },
    publicNames: ["a.example.net"],
    lost: "b.example.net",
    works: true,
  },
  {
    name: "a top-level domain in which every name exists shows it too",
    zones: { net: "found", "shop.example": "ESERVFAIL" },
    publicNames: ["a.example.net"],
    lost: "shop.example",
    works: true,
  },
  {
    name: "a cluster's own names show nothing of a name of the Internet",
    zones: { "cluster.local": "ENOTFOUND" },
    privateNames: ["db.svc.cluster.local"],
    lost: "shop.example",
    works: false,
  },
  {
    name: "a network without the Internet is shown to work by its other names",
    zones: { "app.corp.lan": "ENODATA" },
    privateNames: ["app.corp.lan"],
    lost: "Db.corp.LAN.",
    works: true,
  },
  {
    name: "a network of public addresses alone is shown to work by its other names",
    zones: { "app.example.edu": "ENOTFOUND" },
    publicNames: ["app.example.edu"],
    lost: "db.example.edu",
    works: true,
  },
  {
    name: "a name without a dot is asked for as it is",
    zones: { db: "found" },
    privateNames: ["db"],
    lost: "web",
    works: true,
  },
  {
    name: "the largest zone answers where nothing was found",
    zones: { com: "ENOTFOUND" },
    works: true,
  },
  { name: "nothing answers where nothing was found", zones: {}, works: false },
  {
    name: "a refusal counts for a lookup that failed",
    zones: { com: "EREFUSED" },
    lost: "a.test",
    works: true,
  },
  {
    name: "a refusal does not count for a lookup that was refused",
    zones: { com: "EREFUSED" },
    lost: "a.test",
    unanswered: "refused",
    works: false,
  },
];

function note(control: ResolverControl, { publicNames = [], privateNames = [] }: Row): void {
  for (const name of publicNames) control.answered(name, PUBLIC);
  for (const name of privateNames) control.answered(name, PRIVATE);
}

for (const row of rows)
  test(row.name, async () => {
    const { control } = controlled(row.zones);
    note(control, row);
    assert.equal(await control.works(row.unanswered ?? "silent", row.lost), row.works);
  });

test("a resolver is lost once it answers nothing, if it found a name before", async () => {
  const { control, zones } = controlled({ lan: "ENOTFOUND" });
  assert.equal(await control.isLost(), false);
  control.answered("nas.lan", PRIVATE);
  assert.equal(await control.isLost(), false);
  delete zones["lan"];
  assert.equal(await control.isLost(), true);
});

test("no name is asked for twice, and none that was found", async () => {
  const { control, asked } = controlled({ net: "ENOTFOUND" });
  for (const name of ["a.example.net", "b.example.org"]) control.answered(name, PUBLIC);
  for (let turn = 0; turn < 20; turn += 1) await control.works("silent");
  assert.equal(new Set(asked).size, asked.length);
  const parents = new Set(asked.map((name) => name.replace(/^[0-9a-f]{20}\./, "")));
  assert.deepEqual(parents, new Set(["net", "org", "a.example.net", "b.example.org"]));
});

test("names below a host show nothing once a top-level domain was reached: what they lack may be concluded", async () => {
  const { control, zones } = controlled({ net: "ENOTFOUND" });
  control.answered("signed.example.net", PUBLIC);
  assert.equal(await control.works("silent", "shop.example"), true);
  zones.net = "ESERVFAIL";
  zones["signed.example.net"] = "ENOTFOUND";
  assert.equal(await control.works("silent", "shop.example"), false);
});

test("what a resolver says of a name while it may keep failures from before shows nothing", async () => {
  const { control, zones, clock } = controlled({ net: "ESERVFAIL" });
  control.answered("a.example.net", PUBLIC);
  assert.equal(await control.works("silent", "shop.example"), false);
  zones.net = "ENOTFOUND";
  assert.equal(await control.works("silent"), true);
  await clock.advance(30_000);
  assert.equal(await control.works("silent", "shop.example"), false);
  await clock.advance(1);
  assert.equal(await control.works("silent", "shop.example"), true);
});

test("a name that is found after all was left unanswered by the resolver", async () => {
  const { control } = controlled({ com: "ENOTFOUND", "shop.example": "found" });
  assert.equal(await control.works("silent", "shop.example"), false);
});
