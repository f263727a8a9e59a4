ALTER TABLE accounts ADD COLUMN auto_diagnostics INTEGER NOT NULL DEFAULT 0;

ALTER TABLE contacts ADD COLUMN password TEXT;

ALTER TABLE contacts ADD COLUMN password_set_at INTEGER;

-- Sealed JSON of the address and what else is needed to reach it; before it was there, the address stood in the clear.
ALTER TABLE addresses ADD COLUMN sealed BLOB;

ALTER TABLE addresses ADD COLUMN suppress_diagnostics INTEGER NOT NULL DEFAULT 0;

-- 0 is not muted, 1 is for good, any other number is until then.
ALTER TABLE addresses ADD COLUMN mute INTEGER NOT NULL DEFAULT 0;

ALTER TABLE checks ADD COLUMN depends_on TEXT;

ALTER TABLE checks ADD COLUMN mute INTEGER NOT NULL DEFAULT 0;

ALTER TABLE checks ADD COLUMN diagnose INTEGER NOT NULL DEFAULT 0;

ALTER TABLE checks ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';

ALTER TABLE checks ADD COLUMN description TEXT NOT NULL DEFAULT '';

ALTER TABLE checks ADD COLUMN home TEXT;

CREATE TABLE contact_groups (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  members TEXT NOT NULL
) STRICT;

CREATE INDEX contact_groups_by_account ON contact_groups (account_id, seq);

CREATE TABLE profiles (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  notifications TEXT NOT NULL
) STRICT;

CREATE INDEX profiles_by_account ON profiles (account_id, seq);

-- Mails that are no alerts, from the commit that asked for them until the mail server has them.
CREATE TABLE letters (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  -- Sealed JSON, for it holds a password.
  sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL
) STRICT;

-- Checks that are gone while results of them are still kept.
CREATE TABLE erasures (
  check_no INTEGER PRIMARY KEY
) STRICT;
