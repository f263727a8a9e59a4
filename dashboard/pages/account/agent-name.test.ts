import assert from "node:assert/strict";
import { test } from "node:test";

import { agentNameOf } from "./agent-name.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

for (const { agent, browser, system } of [
  {
    agent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    browser: "Edge",
    system: "Windows",
  },
  {
    agent: `Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`,
    browser: "Chrome",
    system: "Android",
  },
  {
    agent: "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
    browser: "Firefox",
    system: "Linux",
  },
  {
    agent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    browser: "Safari",
    system: "iPhone",
  },
  { agent: "curl/8.16.0", browser: undefined, system: undefined },
  { agent: "", browser: undefined, system: undefined },
])
  test(`${browser ?? "nothing"} on ${system ?? "nothing"} is read from ${JSON.stringify(agent)}`, () => {
    assert.deepEqual(agentNameOf(agent), { browser, system });
  });
