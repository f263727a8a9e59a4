import { fuzzMode } from "./fuzz-mode.ts";

fuzzMode("standard");
