/* global SwaggerUIBundle -- of the script before this one */

SwaggerUIBundle({
  url: "/api/1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  defaultModelRendering: "model",
  defaultModelExpandDepth: 2,
  defaultModelsExpandDepth: 0,
  // Otherwise the document is sent to a validation service on the Internet.
  validatorUrl: null,
});
