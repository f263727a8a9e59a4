import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { shippedConfiguration } from "../harnesses/nats-configuration.ts";
import { tcpServer } from "../peers/tcp.ts";
import { nats } from "../servers/nats.ts";
import { waitFor } from "../time/wait-for.ts";
import { root, run, start, temporaryFolder } from "./process.ts";
