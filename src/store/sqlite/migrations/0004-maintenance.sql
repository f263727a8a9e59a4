-- Plans to hold checks off for a while.
CREATE TABLE maintenances (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  duration_minutes INTEGER NOT NULL,
  check_ids TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  cron TEXT,
  next_at INTEGER,
  -- Null unless it is under way.
  ends_at INTEGER,
  history TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  UNIQUE (account_id, id)
) STRICT;

CREATE INDEX maintenances_due ON maintenances (coalesce(ends_at, next_at));

-- Checks that are off because of a maintenance that is under way.
CREATE TABLE holds (
  check_no INTEGER NOT NULL REFERENCES checks (no) ON DELETE CASCADE,
  maintenance_seq INTEGER NOT NULL REFERENCES maintenances (seq) ON DELETE CASCADE,
  PRIMARY KEY (check_no, maintenance_seq)
) STRICT;

CREATE INDEX holds_by_maintenance ON holds (maintenance_seq);
