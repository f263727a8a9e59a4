import { leftOut, mapped, noSetting, type Fields } from "../fields.ts";

export const checkFields: Fields = {
  ...mapped(
    `custom_message hostname id ip6 ipv6 name paused resolution sendnotificationwhendown status tags
    type`,
  ),
  ...noSetting("created lastdownend lastdownstart lasterrortime lastresponsetime lasttesttime"),
  ...leftOut("notifyagainevery", "set reminders of its recipients: repeat, in minutes"),
  ...leftOut("notifywhenbackup", "recipients are told of it, unless they suppress it", true),
  ...leftOut(
    "contactids integrationids teams userids",
    "who is alerted is not in a check: add recipients",
  ),
  ...leftOut("probe_filters", "choose regions of this installation: runlocations"),
  ...leftOut("responsetime_threshold", "a timeout is its only limit here", 30_000),
  ...leftOut("severity_level", "alerts have no severities: set the priority of addresses", "HIGH"),
};

export const httpFields: Fields = {
  ...mapped(
    `encryption password port postdata requestheaders shouldcontain shouldnotcontain
    ssl_down_days_before url username verify_certificate`,
  ),
  ...leftOut("additionalurls", "a check has one address: make one for each of them"),
};

export const tcpFields: Fields = {
  ...mapped("port"),
  ...leftOut("stringtoexpect stringtosend", "only the port is checked"),
};

export const dnsFields: Fields = mapped("expectedip nameserver");

export const mailFields: Fields = {
  ...mapped("encryption password port username"),
  ...leftOut("stringtoexpect", "the greeting is not searched"),
};
