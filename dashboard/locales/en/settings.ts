export const settings = {
  title: "Settings",
  ownerOnly: "Only an owner sees the settings of the account.",
  accountName: "Name of the account",
  timezone: "Time zone",
  timezoneHelp: "That of schedules, repeated maintenances and the times in mails",
  recipients: "Default recipients, of checks that name nobody",
  suppressAll: "Suppress all alerts",
  recheckWait: "Wait between rechecks (seconds)",
  recheckWaitHelp:
    "For checks without a wait of their own. A shorter outage alerts nobody. 0 runs all rechecks at once.",
  suppressAllHelp: "Checks run on, and nobody is notified of any of them",
};
