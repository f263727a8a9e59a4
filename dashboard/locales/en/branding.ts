export const branding = {
  title: "Branding",
  help: "The sender and the texts of the mails of this account. Where a field is empty, the usual is sent.",
  usual: "The usual",
  from: "Sender",
  fromHelp:
    "A name, or a name with a mailbox of a domain that this installation allows: Shop <alerts@example.com>",
  "kind.down": "When a check goes down",
  "kind.up": "When it is up again",
  "kind.first": "After its first result",
  downsubject: "Subject of the mail when down",
  downtext: "Text of the mail when down",
  upsubject: "Subject of the mail when up",
  uptext: "Text of the mail when up",
  firstsubject: "Subject of the mail of the first result",
  firsttext: "Text of the mail of the first result",
  welcome: "Welcome to a contact that may sign in",
  welcomeHelp: "May hold '{'name'}', '{'email'}', '{'url'}' and '{'password'}'.",
};
