import { busContract, contractLocation } from "../../test/contracts/bus.ts";
import { scriptedThreads } from "../../test/harnesses/scripted-threads.ts";
import { createMemoryBus } from "../bus/memory-bus.ts";

busContract((deps) => {
  const bus = createMemoryBus(deps);
  const threads = scriptedThreads();
  bus.serve(contractLocation, threads.handlersOf(contractLocation));
  return {
    ...bus,
    async close() {
      await bus.close();
      await threads.close();
    },
  };
});
