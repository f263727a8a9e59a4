export interface DnsblZone {
  /** The zone of its entries, which is also its name. */
  readonly zone: string;
  readonly families: readonly (4 | 6)[];
}

/** Lists that can be queried at low rates without an account. Lists that escalate to whole networks are left out. */
export const dnsblZones: readonly DnsblZone[] = [
  { zone: "all.s5h.net", families: [4, 6] },
  { zone: "bl.0spam.org", families: [4] },
  { zone: "bl.blocklist.de", families: [4] },
  { zone: "bl.ipv6.spameatingmonkey.net", families: [6] },
  { zone: "bl.mailspike.net", families: [4] },
  { zone: "bl.nordspam.com", families: [4] },
  { zone: "bl.scientificspam.net", families: [4] },
  { zone: "bl.spamcop.net", families: [4] },
  { zone: "bl.spameatingmonkey.net", families: [4] },
  { zone: "bl.suomispam.net", families: [4] },
  { zone: "dnsbl-1.uceprotect.net", families: [4] },
  { zone: "dnsbl.dronebl.org", families: [4, 6] },
  { zone: "dnsbl.zapbl.net", families: [4] },
  { zone: "psbl.surriel.com", families: [4] },
  { zone: "rbl.interserver.net", families: [4] },
  { zone: "truncate.gbudb.net", families: [4] },
  { zone: "zen.spamhaus.org", families: [4, 6] },
];
