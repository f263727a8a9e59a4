-- What a target answered in a run that failed.
CREATE TABLE evidence (
  check_no INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  -- That of a flip stays as long as its result does; of the others only the newest do.
  flipped INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (check_no, started_at)
) STRICT;

CREATE INDEX evidence_by_age ON evidence (started_at);

-- A certificate from the first run that saw it until the next one at that location.
CREATE TABLE certificates (
  check_no INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  location TEXT NOT NULL,
  subject TEXT NOT NULL,
  issuer TEXT NOT NULL,
  valid_to INTEGER NOT NULL,
  PRIMARY KEY (check_no, seen_at)
) STRICT;

-- A look at why a check went down, from its flip on.
CREATE TABLE diagnoses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  check_no INTEGER NOT NULL,
  check_id TEXT NOT NULL,
  outage TEXT NOT NULL,
  location TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  -- Null once it is over.
  next_attempt_at INTEGER,
  ended_at INTEGER,
  findings TEXT
) STRICT;

CREATE INDEX diagnoses_due ON diagnoses (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

CREATE INDEX diagnoses_by_check ON diagnoses (check_no, seq);

-- Letters to one contact about the same topic take each other's place.
ALTER TABLE letters ADD COLUMN topic TEXT NOT NULL DEFAULT 'password';
