import { testRows } from "./test-rows.ts";

testRows("legacy");
