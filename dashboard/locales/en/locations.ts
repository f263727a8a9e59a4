export const locations = {
  title: "Locations",
  none: "No location runs checks now: is a probe started?",
  help: "A check runs at each location in turn, and at others when its state seems to change. A location of no region runs the checks of all of them.",
  checks: "Checks that run there",
  last: "Last run began",
  anyIn: "Any in: {region}",
  live: "Live",
  notLive: "Not live",
  seen: "Last seen",
  version: "Version {version}",
  forget: "Forget",
  forgetNamed: "Forget {code}",
  forgetTitle: "Forget the location {code}?",
  forgetHelp:
    "Forget it if its probes will not run again. It is no longer shown as gone here, nor in the readiness, metrics and alerts of the service. A probe that is started again brings it back.",
  forgotten: "{code} is forgotten",
  undecided:
    "{count, plural, one {# check has had no result since} other {# checks have had no result since}}",
  unserved: "{count, plural, one {# check does not run} other {# checks do not run}}",
  unservedHelp:
    "No location of their regions is live. Start a probe there, or let these checks run elsewhere.",
  "region.nam": "North America",
  "region.lam": "Latin America",
  "region.eur": "Europe",
  "region.eao": "East Asia and Oceania",
  "region.wlw": "Any region",
};
