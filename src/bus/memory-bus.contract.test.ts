import { busContract, contractLocation, createScriptedHandlers } from "../../test/contracts/bus.ts";
import { createMemoryBus } from "./memory-bus.ts";

busContract((deps) => {
  const bus = createMemoryBus(deps);
  bus.serve(contractLocation, createScriptedHandlers());
  return bus;
});
