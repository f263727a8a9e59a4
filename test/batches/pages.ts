import { keepInstallation } from "../e2e/dashboard/shared-dashboard.ts";
import { keepChromium } from "../servers/shared-chromium.ts";
import { runBatch } from "./run-batch.ts";

await using _chromium = keepChromium();
await using _installation = keepInstallation();
await runBatch("pages");
