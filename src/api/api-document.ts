import type { ApiDeps } from "./deps.ts";
import { compatibilityOf } from "./http/compatibility.ts";
import { apiRoot } from "./http/request-path.ts";
import type { OpenApi } from "./openapi/document.ts";
import { openApiOf } from "./openapi/openapi.ts";
import { createResources } from "./registry.ts";

/** The OpenAPI document of this installation. */
export function apiDocumentOf(deps: ApiDeps): OpenApi {
  return openApiOf(createResources(deps), {
    root: apiRoot,
    compatibility: compatibilityOf(deps.compatibility),
  });
}
