import assert from "node:assert/strict";
import { after, test } from "node:test";

import { installation } from "../../dashboard-walk/installation.ts";
import { keyboardPass } from "../../dashboard-walk/keyboard.ts";
import { walk } from "../../dashboard-walk/walk.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const visited = await installation(stack, 20);

test("every page is in German for who reads that, and nothing of it is cut off at a desk or on a telephone", async () => {
  assert.deepEqual(await walk(visited, { languages: ["de"] }), []);
});

test("the dashboard is used by the keyboard alone, and the focus is always seen", async () => {
  assert.deepEqual(await keyboardPass(visited), []);
});
