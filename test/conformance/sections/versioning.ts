import assert from "node:assert/strict";

import type { RowTests } from "../fixture.ts";
import { pushedCheck } from "../check-drivers.ts";

export const versioning = {
  "the path carries the version": async (cast) => {
    const { send, alice, refused } = cast;
    const get = (path: string) => send({ url: `${path}?token=${alice.token}` });
    assert.equal((await get("/api/1/checks")).status, 200);
    for (const version of ["0", "2", "v1"]) {
      const path = `/api/${version}/checks`;
      refused(await get(path), 404, `no such path "${path}"`);
    }
  },

  "clean and doc": async (cast) => {
    const { ask, alice } = cast;
    const { id, heartbeat } = await pushedCheck(cast);
    await heartbeat();
    await heartbeat();
    const read = async (parameters: object) =>
      (await ask(alice, `GET /results/${id}`, parameters)).body;
    const clean = await read({ clean: true });
    const doc = clean.map((result: { _id: string }) => ({ _id: result._id, doc: result }));
    assert.equal(clean.length, 2);
    assert.deepEqual(await read({}), doc);
    assert.deepEqual(await read({ clean: false }), doc);
  },
} satisfies RowTests<"9 versioning">;
