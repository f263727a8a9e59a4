import { keepInstallation } from "../e2e/dashboard/shared-dashboard.ts";
import { runBatch } from "./run-batch.ts";

await using _installation = keepInstallation();
await runBatch("dashboard");
