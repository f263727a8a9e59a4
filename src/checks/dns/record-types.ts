/** The types of records that can be asked for. */
export const recordTypes = [
  "A",
  "AAAA",
  "ANY",
  "CNAME",
  "MX",
  "NS",
  "PTR",
  "SOA",
  "SRV",
  "TXT",
] as const;
export type RecordType = (typeof recordTypes)[number];
