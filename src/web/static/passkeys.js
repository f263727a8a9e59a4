// Has the browser make or use a passkey, by the options that the form holds, and sends what it answers with the form.

const form = document.querySelector("form[data-options]");
const isAble = globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;

async function credentialFor({ options, passkey }) {
  const given = JSON.parse(options);
  return passkey === "create"
    ? navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(given),
      })
    : navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(given),
      });
}

async function sendCredential() {
  const problem = form.querySelector("[role=alert]");
  problem.hidden = true;
  try {
    const credential = await credentialFor(form.dataset);
    form.elements.namedItem("credential").value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {
    problem.hidden = false;
  }
}

form.hidden = !isAble;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void sendCredential();
});
