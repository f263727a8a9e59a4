export const imported = {
  aliases: "Old addresses",
  aliasTable: "Each old address",
  aliasesText:
    "Heartbeats that are sent to these addresses, which they had in another system, count here.",
  system: "From",
  hint: "Begins with",
  since: "Since",
  actions: "Actions",
  end: "End",
  endOne: "End {hint} of {system}",
  endTitle: "End this address?",
  endText:
    "Heartbeats that are still sent to it are refused from then on, and the check finds them missing.",
  ended: "The address has ended",
  history: "Until {day}: as {origin} knew it. Days that it did not watch are unknown.",
  outage: "Taken over from {origin}, which tells no more of it.",
};
