-- Alerts for one address that leave as one message, which no retry changes.
CREATE TABLE bundles (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  size INTEGER NOT NULL,
  message TEXT NOT NULL
) STRICT;

ALTER TABLE alerts ADD COLUMN bundle TEXT;

CREATE INDEX alerts_by_bundle ON alerts (bundle) WHERE status = 'waiting' AND bundle IS NOT NULL;

-- When an address was last told something new: what follows soon about another check waits for company.
CREATE TABLE departures (
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  address_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  wait_ms INTEGER NOT NULL,
  -- Null where it was told of several checks.
  check_no INTEGER,
  PRIMARY KEY (contact_id, address_id)
) STRICT;
