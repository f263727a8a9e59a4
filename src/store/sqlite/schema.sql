CREATE TABLE account_switches (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  after_no INTEGER NOT NULL,
  disable INTEGER,
  disable_up_to INTEGER
) STRICT;

CREATE TABLE account_usage (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind)
) STRICT, WITHOUT ROWID;

CREATE VIEW account_uses AS SELECT account_id, kind, used FROM account_usage;

CREATE TRIGGER account_uses_added INSTEAD OF INSERT ON account_uses
BEGIN
  INSERT INTO account_usage (account_id, kind, used) SELECT id, NEW.kind, NEW.used FROM accounts WHERE id = NEW.account_id OR id = (SELECT parent_id FROM accounts WHERE id = NEW.account_id) ON CONFLICT (account_id, kind) DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER accounts_inserted AFTER INSERT ON accounts
BEGIN
  INSERT INTO account_uses VALUES (NEW.id, 'configuration', NEW.bytes);
  INSERT INTO account_uses SELECT NEW.parent_id, 'subaccounts', 1 WHERE NEW.parent_id IS NOT NULL;
END;

CREATE TRIGGER accounts_removed AFTER DELETE ON accounts WHEN OLD.parent_id IS NOT NULL
BEGIN
  INSERT INTO account_uses VALUES (OLD.parent_id, 'configuration', -OLD.bytes), (OLD.parent_id, 'subaccounts', -1);
END;

CREATE TRIGGER accounts_updated AFTER UPDATE ON accounts WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  parent_id TEXT REFERENCES accounts (id),
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  time_zone TEXT NOT NULL,
  default_regions TEXT NOT NULL,
  wants_news INTEGER NOT NULL,
  -- Null until it is first set.
  suppress_all INTEGER,
  auto_diagnostics INTEGER NOT NULL,
  -- Seconds between two rechecks of checks that name none of their own.
  recheck_wait INTEGER NOT NULL DEFAULT 5,
  default_notifications TEXT NOT NULL DEFAULT '[]',
  branding TEXT,
  -- What its calendar's link is made with; null while it has none.
  calendar_key TEXT,
  -- What it counts for in the bytes that its account may keep.
  bytes INTEGER GENERATED ALWAYS AS (octet_length(name) + octet_length(default_notifications) + octet_length(coalesce(branding, ''))) VIRTUAL
) STRICT;

CREATE INDEX accounts_by_parent ON accounts (parent_id);

CREATE INDEX accounts_deleted ON accounts (id) WHERE status = 'deleted';

CREATE TRIGGER addresses_inserted AFTER INSERT ON addresses
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes);
END;

CREATE TRIGGER addresses_removed AFTER DELETE ON addresses
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes);
END;

CREATE TRIGGER addresses_updated AFTER UPDATE ON addresses WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE addresses (
  account_id TEXT NOT NULL,
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  refused_at INTEGER,
  refusal TEXT,
  suppress_up INTEGER NOT NULL,
  suppress_down INTEGER NOT NULL,
  suppress_first INTEGER NOT NULL,
  suppress_all INTEGER NOT NULL,
  suppress_diagnostics INTEGER NOT NULL,
  -- 0: not muted; 1: muted for good; any other number: muted until then.
  mute INTEGER NOT NULL,
  -- 0: its owner was asked to agree to messages, and has not yet.
  confirmed INTEGER NOT NULL,
  -- A hash, of an address that is a mailbox.
  mailbox TEXT,
  -- Which machine takes the messages, as far as that shows: the kind, and a hash of the host.
  destination TEXT NOT NULL,
  -- Sealed JSON of what it takes to reach the address.
  sealed BLOB NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(sealed)) VIRTUAL,
  PRIMARY KEY (contact_id, id)
) STRICT;

CREATE INDEX addresses_by_mailbox ON addresses (mailbox, account_id) WHERE mailbox IS NOT NULL;

CREATE TABLE alert_mails (
  -- A hash.
  mailbox TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  sent INTEGER NOT NULL
) STRICT;

CREATE INDEX alert_mails_by_age ON alert_mails (since);

CREATE TRIGGER alert_leaves_line AFTER UPDATE OF status ON alerts WHEN OLD.status = 'waiting' AND NEW.status <> 'waiting'
BEGIN
  UPDATE alerts SET is_first = 0 WHERE seq = NEW.seq;
  UPDATE alerts SET is_first = 1 WHERE seq = (SELECT seq FROM alerts WHERE status = 'waiting' AND check_no = NEW.check_no AND contact_id = NEW.contact_id AND address_id = NEW.address_id ORDER BY seq LIMIT 1);
END;

CREATE TRIGGER alert_leaves_notice AFTER DELETE ON alerts
BEGIN
  DELETE FROM notices WHERE id = OLD.notice_id AND NOT EXISTS (SELECT 1 FROM alerts WHERE flip_id = OLD.flip_id AND notice_id = OLD.notice_id);
END;

CREATE TRIGGER alert_removed_from_line AFTER DELETE ON alerts WHEN OLD.status = 'waiting'
BEGIN
  UPDATE alerts SET is_first = 1 WHERE seq = (SELECT seq FROM alerts WHERE status = 'waiting' AND check_no = OLD.check_no AND contact_id = OLD.contact_id AND address_id = OLD.address_id ORDER BY seq LIMIT 1);
END;

CREATE TRIGGER alert_waits_again AFTER UPDATE OF status ON alerts WHEN OLD.status <> 'waiting' AND NEW.status = 'waiting'
BEGIN
  UPDATE alerts SET is_first = 0 WHERE seq = (SELECT seq FROM alerts WHERE status = 'waiting' AND check_no = NEW.check_no AND contact_id = NEW.contact_id AND address_id = NEW.address_id AND seq > NEW.seq ORDER BY seq LIMIT 1);
  UPDATE alerts SET is_first = 1 WHERE seq = (SELECT seq FROM alerts WHERE status = 'waiting' AND check_no = NEW.check_no AND contact_id = NEW.contact_id AND address_id = NEW.address_id ORDER BY seq LIMIT 1);
END;

CREATE TRIGGER alert_waits_first AFTER INSERT ON alerts WHEN NEW.status = 'waiting'
BEGIN
  UPDATE alerts SET is_first = 1 WHERE seq = NEW.seq AND NOT EXISTS (SELECT 1 FROM alerts WHERE status = 'waiting' AND check_no = NEW.check_no AND contact_id = NEW.contact_id AND address_id = NEW.address_id AND seq < NEW.seq);
END;

CREATE TABLE alerts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  flip_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  check_no INTEGER NOT NULL,
  check_id TEXT NOT NULL,
  outage TEXT,
  kind TEXT NOT NULL,
  -- Of a reminder: which it is.
  number INTEGER NOT NULL DEFAULT 0,
  -- Which reminders follow it, and the number of the last; null where none do.
  repeat_minutes INTEGER,
  repeat_last INTEGER,
  contact_id TEXT NOT NULL,
  address_id TEXT NOT NULL,
  -- A JSON array of names: it may go out in the windows of any of them.
  schedules TEXT NOT NULL,
  notice_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  -- It is tried again until then, and once at that very instant.
  retry_until INTEGER NOT NULL,
  -- Null while no notifier has claimed it.
  lease_until INTEGER,
  possibly_sent INTEGER NOT NULL,
  -- Whether it passed the rules that are asked once, before the first attempt.
  judged INTEGER NOT NULL,
  -- Whether an attempt failed, or none was made in time, by no rule of its recipient.
  unreached INTEGER NOT NULL DEFAULT 0,
  sent_kind TEXT,
  sealed_recipient BLOB,
  sent_from TEXT,
  subject TEXT,
  body TEXT,
  network TEXT,
  -- What else is sent of a message; null once the alert has ended, and in a bundle.
  sealed_details BLOB,
  last_at INTEGER,
  response TEXT,
  bundle TEXT,
  -- As its address had it at the insert.
  destination TEXT NOT NULL,
  -- A hash of the host, the state and the reason; null where no host is checked.
  cause TEXT,
  -- Whether no earlier one about the same check to the same address waits: kept by the triggers.
  is_first INTEGER NOT NULL DEFAULT 0,
  -- When it can be claimed; null where it cannot.
  claimable_at INTEGER GENERATED ALWAYS AS (CASE WHEN status = 'waiting' AND is_first = 1 THEN max(next_attempt_at, coalesce(lease_until, next_attempt_at)) END) VIRTUAL,
  UNIQUE (flip_id, contact_id, address_id, kind, number)
) STRICT;

CREATE INDEX alerts_by_account ON alerts (account_id, coalesce(last_at, created_at));

CREATE INDEX alerts_by_address ON alerts (contact_id, address_id, next_attempt_at, seq) WHERE status = 'waiting';

CREATE INDEX alerts_by_age ON alerts (coalesce(last_at, created_at)) WHERE status NOT IN ('waiting', 'held');

CREATE INDEX alerts_by_bundle ON alerts (bundle) WHERE bundle IS NOT NULL;

CREATE INDEX alerts_by_check ON alerts (check_id, coalesce(last_at, created_at));

CREATE INDEX alerts_by_outage ON alerts (outage, contact_id, address_id);

CREATE INDEX alerts_claimable ON alerts (claimable_at, seq) WHERE claimable_at IS NOT NULL;

CREATE INDEX alerts_held ON alerts (check_no) WHERE status = 'held';

CREATE INDEX alerts_in_line ON alerts (check_no, contact_id, address_id, seq) WHERE status = 'waiting';

CREATE INDEX alerts_queued ON alerts (account_id, destination, claimable_at, seq) WHERE claimable_at IS NOT NULL;

CREATE INDEX alerts_unconfirmed ON alerts (contact_id) WHERE status = 'held' AND reason = 'address_unconfirmed';

CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Null for the operator of the installation.
  actor_kind TEXT,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  contact_id TEXT,
  client TEXT NOT NULL,
  operation TEXT NOT NULL,
  record_id TEXT,
  fields TEXT NOT NULL,
  -- Null where the values of the fields were not kept.
  changes TEXT
) STRICT;

CREATE INDEX audit_log_by_account ON audit_log (account_id, seq);

CREATE INDEX audit_log_by_age ON audit_log (at);

CREATE TABLE bundles (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  size INTEGER NOT NULL,
  message TEXT NOT NULL
) STRICT;

CREATE INDEX bundles_by_account ON bundles (account_id);

CREATE TABLE certificates (
  check_no INTEGER NOT NULL,
  observed_at INTEGER NOT NULL,
  location TEXT NOT NULL,
  subject TEXT NOT NULL,
  issuer TEXT NOT NULL,
  valid_to INTEGER NOT NULL,
  -- When the next one was observed at its location; null while it is the latest.
  replaced_at INTEGER,
  PRIMARY KEY (check_no, observed_at)
) STRICT;

CREATE INDEX certificates_by_age ON certificates (replaced_at) WHERE replaced_at IS NOT NULL;

CREATE INDEX certificates_latest ON certificates (check_no, location) WHERE replaced_at IS NULL;

CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL,
  -- Null where the account itself changed.
  check_no INTEGER,
  kind TEXT NOT NULL DEFAULT 'configuration',
  -- The id of a check that was removed.
  removed_id TEXT,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE check_revisions (
  check_no INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  sealed_target BLOB NOT NULL,
  timeout_seconds REAL NOT NULL,
  interval_minutes REAL NOT NULL,
  PRIMARY KEY (check_no, revision)
) STRICT;

CREATE TABLE check_states (
  check_no INTEGER PRIMARY KEY REFERENCES checks (no) ON DELETE CASCADE,
  state TEXT,
  -- When the first run began that led to a verdict; null before that.
  known_since INTEGER,
  down_since INTEGER,
  outage TEXT,
  -- When that outage began, whatever interrupted it since.
  outage_since INTEGER,
  -- Who sees to that outage; null where nobody said so.
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  acknowledged_note TEXT,
  -- JSON: the locations at which the latest run failed, while others may pass; null where there are none.
  failing_locations TEXT
) STRICT;

CREATE TRIGGER checks_inserted AFTER INSERT ON checks
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes), (NEW.account_id, 'checks', 1);
END;

CREATE TRIGGER checks_removed AFTER DELETE ON checks
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes), (OLD.account_id, 'checks', -1);
END;

CREATE TRIGGER checks_updated AFTER UPDATE ON checks WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE checks (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  -- A hash of the id: only a database that several processes share is read by it.
  shard INTEGER NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  type TEXT NOT NULL,
  label TEXT NOT NULL,
  interval_minutes REAL NOT NULL,
  timeout_seconds REAL NOT NULL,
  rechecks INTEGER,
  -- Seconds between two rechecks; null for the account's.
  recheck_wait INTEGER,
  enabled INTEGER NOT NULL,
  disabled_with_all INTEGER NOT NULL,
  public INTEGER NOT NULL,
  regions TEXT,
  -- Sealed JSON.
  parameters BLOB NOT NULL,
  notifications TEXT NOT NULL,
  depends_on TEXT,
  -- As on an address.
  mute INTEGER NOT NULL,
  diagnose INTEGER NOT NULL,
  -- Whether a first result that is up alerts nobody.
  quiet_first INTEGER NOT NULL DEFAULT 0,
  tags TEXT NOT NULL,
  description TEXT NOT NULL,
  home TEXT,
  revision INTEGER NOT NULL,
  revision_hash TEXT NOT NULL,
  -- Counts the changes of what runs: results and flips carry it.
  run_revision INTEGER NOT NULL,
  run_changed_at INTEGER NOT NULL,
  uuid TEXT NOT NULL,
  queue TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(label) + octet_length(coalesce(regions, '')) + octet_length(parameters) + octet_length(notifications) + octet_length(tags) + octet_length(description)) VIRTUAL
) STRICT;

CREATE INDEX checks_by_account ON checks (account_id, no);

CREATE INDEX checks_by_dependency ON checks (account_id, depends_on, id) WHERE depends_on IS NOT NULL;

CREATE INDEX checks_by_uuid ON checks (uuid) WHERE public = 1;

CREATE TRIGGER configurations_inserted AFTER INSERT ON configurations
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes);
END;

CREATE TRIGGER configurations_removed AFTER DELETE ON configurations
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes);
END;

CREATE TRIGGER configurations_updated AFTER UPDATE ON configurations WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE configurations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  -- How many of them there are.
  size INTEGER NOT NULL,
  -- JSON: their ids, by the keys that they have there.
  records TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(name) + octet_length(records)) VIRTUAL
) STRICT;

CREATE INDEX configurations_by_account ON configurations (account_id, seq);

CREATE TRIGGER contact_groups_inserted AFTER INSERT ON contact_groups
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes), (NEW.account_id, 'contactgroups', 1);
END;

CREATE TRIGGER contact_groups_removed AFTER DELETE ON contact_groups
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes), (OLD.account_id, 'contactgroups', -1);
END;

CREATE TRIGGER contact_groups_updated AFTER UPDATE ON contact_groups WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE contact_groups (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  members TEXT NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(name) + octet_length(members)) VIRTUAL
) STRICT;

CREATE INDEX contact_groups_by_account ON contact_groups (account_id, seq);

CREATE TRIGGER contacts_inserted AFTER INSERT ON contacts
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes), (NEW.account_id, 'contacts', 1);
END;

CREATE TRIGGER contacts_removed AFTER DELETE ON contacts
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes), (OLD.account_id, 'contacts', -1);
END;

CREATE TRIGGER contacts_updated AFTER UPDATE ON contacts WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE contacts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  -- A hash, of a contact that may sign in.
  password TEXT,
  password_set_at INTEGER,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(name)) VIRTUAL
) STRICT;

CREATE INDEX contacts_by_account ON contacts (account_id, seq);

CREATE TABLE daily_summaries (
  check_no INTEGER NOT NULL,
  day INTEGER NOT NULL,
  packed BLOB NOT NULL,
  UNIQUE (check_no, day)
) STRICT;

CREATE INDEX daily_summaries_by_age ON daily_summaries (day);

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  alert_id TEXT NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  response TEXT NOT NULL
) STRICT;

CREATE INDEX deliveries_by_alert ON deliveries (alert_id, seq);

CREATE TABLE diagnostics (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  check_no INTEGER NOT NULL,
  check_id TEXT NOT NULL,
  outage TEXT NOT NULL,
  location TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  -- Null once it is finished.
  next_attempt_at INTEGER,
  ended_at INTEGER,
  findings TEXT
) STRICT;

CREATE INDEX diagnostics_by_account ON diagnostics (account_id);

CREATE INDEX diagnostics_by_age ON diagnostics (ended_at) WHERE ended_at IS NOT NULL;

CREATE INDEX diagnostics_by_check ON diagnostics (check_no, seq);

CREATE INDEX diagnostics_due ON diagnostics (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

CREATE TRIGGER evidence_inserted AFTER INSERT ON evidence
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'evidence', NEW.bytes);
END;

CREATE TRIGGER evidence_removed AFTER DELETE ON evidence
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'evidence', -OLD.bytes);
END;

CREATE TABLE evidence (
  account_id TEXT NOT NULL,
  check_no INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  -- That of a flip is kept as long as its result; of the rest only the newest are.
  flipped INTEGER NOT NULL,
  text TEXT NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(text)) VIRTUAL,
  PRIMARY KEY (check_no, started_at)
) STRICT;

CREATE INDEX evidence_by_account ON evidence (account_id, started_at);

CREATE INDEX evidence_by_age ON evidence (started_at);

CREATE TABLE flips (
  id TEXT PRIMARY KEY,
  check_no INTEGER NOT NULL,
  from_state TEXT,
  to_state TEXT NOT NULL,
  at INTEGER NOT NULL,
  since INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  text TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;

CREATE INDEX flips_by_age ON flips (at);

CREATE INDEX flips_by_check ON flips (check_no, at);

CREATE TABLE gaps (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  check_no INTEGER NOT NULL,
  -- The one that the check shows, until a tick has a result.
  is_open INTEGER NOT NULL,
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  message TEXT NOT NULL,
  first_tick INTEGER NOT NULL,
  last_tick INTEGER NOT NULL,
  ticks INTEGER NOT NULL
) STRICT;

CREATE INDEX gaps_by_age ON gaps (last_tick) WHERE is_open = 0;

CREATE INDEX gaps_by_check ON gaps (check_no, seq);

CREATE UNIQUE INDEX gaps_open ON gaps (check_no) WHERE is_open = 1;

CREATE TABLE heartbeat_aliases (
  -- A hash.
  digest TEXT NOT NULL,
  -- Of the check. Each account holds an address for itself.
  account_id TEXT NOT NULL,
  check_no INTEGER NOT NULL REFERENCES checks (no) ON DELETE CASCADE,
  system TEXT NOT NULL,
  -- How people recognise it.
  hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (digest, account_id)
) STRICT;

CREATE INDEX heartbeat_aliases_by_check ON heartbeat_aliases (check_no);

CREATE TABLE hourly_summaries (
  check_no INTEGER NOT NULL,
  day INTEGER NOT NULL,
  packed BLOB NOT NULL,
  UNIQUE (check_no, day)
) STRICT;

CREATE INDEX hourly_summaries_by_age ON hourly_summaries (day);

CREATE TABLE imported_histories (
  check_no INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  origin TEXT NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  -- How many there are.
  spans INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX imported_histories_by_account ON imported_histories (account_id);

CREATE TABLE imported_records (
  account_id TEXT NOT NULL,
  origin TEXT NOT NULL,
  kind TEXT NOT NULL,
  origin_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  -- JSON: by field digests of what it was there and here when it was imported; null where that is not known.
  fields TEXT,
  PRIMARY KEY (account_id, origin, kind, origin_id)
) STRICT;

CREATE TABLE imported_spans (
  check_no INTEGER NOT NULL,
  kind TEXT NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (check_no, kind, start_at)
) STRICT;

CREATE TRIGGER incidents_inserted AFTER INSERT ON incidents
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes), (NEW.account_id, 'incidents', 1);
END;

CREATE TRIGGER incidents_removed AFTER DELETE ON incidents
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes), (OLD.account_id, 'incidents', -1);
END;

CREATE TRIGGER incidents_updated AFTER UPDATE ON incidents WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE incidents (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  -- Null for all pages of the account.
  page_ids TEXT,
  check_ids TEXT NOT NULL,
  -- A draft is not.
  is_published INTEGER NOT NULL,
  is_automatic INTEGER NOT NULL,
  -- Null where people made it.
  outage_page_id TEXT,
  -- When a maintenance begins or ends by itself.
  next_stage_at INTEGER,
  is_closed INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER,
  updates TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(title) + octet_length(coalesce(page_ids, '')) + octet_length(check_ids) + octet_length(updates)) VIRTUAL
) STRICT;

CREATE INDEX incidents_by_account ON incidents (account_id, is_closed, starts_at);

CREATE INDEX incidents_by_outage_page ON incidents (outage_page_id, seq) WHERE outage_page_id IS NOT NULL;

CREATE INDEX incidents_due ON incidents (next_stage_at) WHERE next_stage_at IS NOT NULL;

CREATE INDEX incidents_open_by_outage ON incidents (outage_page_id) WHERE outage_page_id IS NOT NULL AND is_closed = 0 AND is_automatic = 1;

CREATE TABLE locations (
  code TEXT PRIMARY KEY,
  -- Null where it counts for every region.
  region TEXT,
  -- That of the program of its probes, where they say so.
  version TEXT,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT;

CREATE TABLE maintenance_checks (
  check_no INTEGER NOT NULL REFERENCES checks (no) ON DELETE CASCADE,
  maintenance_seq INTEGER NOT NULL REFERENCES maintenances (seq) ON DELETE CASCADE,
  PRIMARY KEY (check_no, maintenance_seq)
) STRICT;

CREATE INDEX maintenance_checks_by_maintenance ON maintenance_checks (maintenance_seq);

CREATE TRIGGER maintenances_inserted AFTER INSERT ON maintenances
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes), (NEW.account_id, 'maintenances', 1);
END;

CREATE TRIGGER maintenances_removed AFTER DELETE ON maintenances
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes), (OLD.account_id, 'maintenances', -1);
END;

CREATE TRIGGER maintenances_updated AFTER UPDATE ON maintenances WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE maintenances (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  duration_minutes INTEGER NOT NULL,
  check_ids TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  cron TEXT,
  -- Of one without a cron.
  starts_at INTEGER,
  next_at INTEGER,
  -- Null unless it is under way.
  ends_at INTEGER,
  history TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(name) + octet_length(check_ids) + octet_length(coalesce(cron, ''))) VIRTUAL,
  UNIQUE (account_id, id)
) STRICT;

CREATE INDEX maintenances_due ON maintenances (coalesce(ends_at, next_at));

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, breaking INTEGER NOT NULL, applied_at INTEGER NOT NULL) STRICT;

CREATE TABLE notices (
  id TEXT PRIMARY KEY,
  notice TEXT NOT NULL
) STRICT;

CREATE TABLE packed_days (
  check_no INTEGER NOT NULL,
  -- The instant at which it begins.
  day INTEGER NOT NULL,
  -- Starts of the first and the last of them.
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  last_tick INTEGER NOT NULL,
  results INTEGER NOT NULL,
  packed BLOB NOT NULL,
  -- A table with row ids, which follow the days: what one insert after the other adds lies together, and so does what retention removes.
  UNIQUE (check_no, day)
) STRICT;

CREATE INDEX packed_days_by_age ON packed_days (last_at);

CREATE TABLE page_messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null for a request to confirm.
  post_id TEXT REFERENCES page_posts (id) ON DELETE CASCADE,
  subscriber_id TEXT NOT NULL REFERENCES page_subscribers (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  primary_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL
) STRICT;

CREATE INDEX page_messages_by_account ON page_messages (account_id);

CREATE INDEX page_messages_by_post ON page_messages (post_id);

CREATE INDEX page_messages_by_subscriber ON page_messages (subscriber_id);

CREATE INDEX page_messages_due ON page_messages (next_attempt_at);

CREATE INDEX page_messages_of_account ON page_messages (kind, primary_id, next_attempt_at) WHERE post_id IS NOT NULL;

CREATE INDEX page_messages_requests ON page_messages (kind, next_attempt_at) WHERE post_id IS NULL;

CREATE TABLE page_posts (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  primary_id TEXT NOT NULL,
  page_id TEXT NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  incident_id TEXT NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  from_update INTEGER NOT NULL,
  to_update INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  -- Once there are messages of it, nothing is added.
  is_begun INTEGER NOT NULL,
  is_spread INTEGER NOT NULL,
  -- The last subscriber that has a message.
  spread_to INTEGER NOT NULL
) STRICT;

CREATE INDEX page_posts_by_account ON page_posts (account_id);

CREATE INDEX page_posts_by_incident ON page_posts (incident_id, page_id);

CREATE INDEX page_posts_by_page ON page_posts (page_id);

CREATE INDEX page_posts_due ON page_posts (due_at) WHERE is_spread = 0;

CREATE TABLE page_subscribers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  page_id TEXT NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  sealed BLOB,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  ends_at INTEGER
) STRICT;

CREATE INDEX page_subscribers_by_account ON page_subscribers (account_id);

CREATE INDEX page_subscribers_by_page ON page_subscribers (page_id, state, seq);

CREATE INDEX page_subscribers_ending ON page_subscribers (ends_at) WHERE ends_at IS NOT NULL;

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  public_key BLOB NOT NULL,
  -- How often it has signed, where its holder counts.
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE INDEX passkeys_by_contact ON passkeys (contact_id);

CREATE TABLE pending_sign_ins (
  digest TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  ends_at INTEGER NOT NULL
) STRICT;

CREATE INDEX pending_sign_ins_by_contact ON pending_sign_ins (contact_id);

CREATE INDEX pending_sign_ins_by_end ON pending_sign_ins (ends_at);

CREATE TRIGGER profiles_inserted AFTER INSERT ON profiles
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes), (NEW.account_id, 'notificationprofiles', 1);
END;

CREATE TRIGGER profiles_removed AFTER DELETE ON profiles
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes), (OLD.account_id, 'notificationprofiles', -1);
END;

CREATE TRIGGER profiles_updated AFTER UPDATE ON profiles WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE profiles (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  subscriptions TEXT NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(name) + octet_length(subscriptions)) VIRTUAL
) STRICT;

CREATE INDEX profiles_by_account ON profiles (account_id, seq);

CREATE TABLE recent_sends (
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  address_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- How many messages of a burst this was, and what follows waits for how long.
  messages INTEGER NOT NULL,
  wait_ms INTEGER NOT NULL,
  longest_ms INTEGER NOT NULL,
  -- Null where the message was about several checks.
  check_no INTEGER,
  -- JSON: those of the alerts in the messages of the burst, the latest of them.
  causes TEXT NOT NULL,
  PRIMARY KEY (contact_id, address_id)
) STRICT;

CREATE TABLE recovery_codes (
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  account_id TEXT NOT NULL,
  PRIMARY KEY (contact_id, digest)
) STRICT;

CREATE TABLE rejected_results (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  check_no INTEGER NOT NULL,
  rejected_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  result TEXT NOT NULL
) STRICT;

CREATE INDEX rejected_results_by_age ON rejected_results (rejected_at);

CREATE INDEX rejected_results_by_check ON rejected_results (check_no);

CREATE TABLE removed_checks (
  check_no INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE result_journal (
  id INTEGER PRIMARY KEY,
  results TEXT NOT NULL
) STRICT;

CREATE TRIGGER schedules_inserted AFTER INSERT ON schedules
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes), (NEW.account_id, 'schedules', 1);
END;

CREATE TRIGGER schedules_removed AFTER DELETE ON schedules
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes), (OLD.account_id, 'schedules', -1);
END;

CREATE TRIGGER schedules_updated AFTER UPDATE ON schedules WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE schedules (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  days TEXT NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(name) + octet_length(days)) VIRTUAL,
  PRIMARY KEY (account_id, name)
) STRICT;

CREATE TABLE service_days (
  day INTEGER PRIMARY KEY,
  -- How long the service has run since it entered this day, by the monotonic clock.
  run_ms INTEGER NOT NULL,
  counted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  digest TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  -- To some minutes.
  used_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  client TEXT NOT NULL,
  agent TEXT NOT NULL
) STRICT;

CREATE INDEX sessions_by_client ON sessions (client);

CREATE INDEX sessions_by_contact ON sessions (contact_id);

CREATE INDEX sessions_by_end ON sessions (ends_at);

CREATE TABLE sign_in_links (
  digest TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  ends_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_in_links_by_contact ON sign_in_links (contact_id);

CREATE INDEX sign_in_links_by_end ON sign_in_links (ends_at);

CREATE TABLE spans (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  check_no INTEGER NOT NULL,
  kind TEXT NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER,
  text TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '',
  -- Of one that is down.
  acknowledged_at INTEGER,
  acknowledged_by TEXT
) STRICT;

CREATE INDEX spans_by_check ON spans (check_no, kind, start_at);

CREATE INDEX spans_by_end ON spans (check_no, kind, end_at);

CREATE UNIQUE INDEX spans_open ON spans (check_no, kind) WHERE end_at IS NULL;

CREATE INDEX spans_open_down ON spans (check_no) WHERE end_at IS NULL AND kind = 'down';

CREATE TABLE started_runs (
  check_no INTEGER NOT NULL,
  -- Empty for a sender whose runs never go on at one time.
  run_id TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  -- When it takes too long; null where it may take any time, and once that was found.
  due_at INTEGER,
  PRIMARY KEY (check_no, run_id)
) STRICT;

CREATE INDEX started_runs_by_age ON started_runs (started_at);

CREATE INDEX started_runs_due ON started_runs (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE status_page_names (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  page_id TEXT NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  PRIMARY KEY (kind, name)
) STRICT;

CREATE INDEX status_page_names_by_page ON status_page_names (page_id);

CREATE TABLE status_page_outages (
  page_id TEXT NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  check_id TEXT NOT NULL,
  outage TEXT NOT NULL,
  incident_id TEXT NOT NULL,
  PRIMARY KEY (page_id, check_id)
) STRICT;

CREATE TRIGGER status_pages_inserted AFTER INSERT ON status_pages
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes), (NEW.account_id, 'statuspages', 1);
END;

CREATE TRIGGER status_pages_removed AFTER DELETE ON status_pages
BEGIN
  INSERT INTO account_uses VALUES (OLD.account_id, 'configuration', -OLD.bytes), (OLD.account_id, 'statuspages', -1);
END;

CREATE TRIGGER status_pages_updated AFTER UPDATE ON status_pages WHEN NEW.bytes <> OLD.bytes
BEGIN
  INSERT INTO account_uses VALUES (NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
END;

CREATE TABLE status_pages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  enabled INTEGER NOT NULL,
  access TEXT NOT NULL,
  outage_incidents TEXT NOT NULL,
  -- A hash.
  password TEXT,
  title TEXT NOT NULL,
  settings TEXT NOT NULL,
  sections TEXT NOT NULL,
  logo TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS (octet_length(title) + octet_length(settings) + octet_length(sections) + octet_length(coalesce(logo, ''))) VIRTUAL
) STRICT;

CREATE INDEX status_pages_by_account ON status_pages (account_id, seq);

CREATE INDEX status_pages_by_outages ON status_pages (account_id) WHERE outage_incidents <> 'off';

CREATE TABLE system_mails (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  -- Of mails about the same topic to the same contact only the last is kept.
  topic TEXT NOT NULL,
  -- Sealed JSON: it may hold a password.
  sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL
) STRICT;

CREATE INDEX system_mails_by_account ON system_mails (account_id);

CREATE INDEX system_mails_by_contact ON system_mails (contact_id, topic);

CREATE TABLE tokens (
  digest TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  compatibility TEXT NOT NULL CHECK (compatibility IN ('standard', 'legacy')),
  access TEXT NOT NULL CHECK (access IN ('write', 'read')),
  expires_at INTEGER,
  -- When a request last carried it, to the hour.
  used_at INTEGER
) STRICT;

CREATE INDEX tokens_by_account ON tokens (account_id);

CREATE TABLE totp_factors (
  contact_id TEXT PRIMARY KEY REFERENCES contacts (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL,
  -- The secret that the app has too.
  sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  -- Null until a first code has shown that the app has it.
  confirmed_at INTEGER,
  -- Of the last code that was used, in half minutes since 1970.
  last_step INTEGER NOT NULL,
  -- Wrong codes since the last right one.
  failures INTEGER NOT NULL,
  failed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE unasked_mails (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- A hash.
  mailbox TEXT NOT NULL,
  -- The account that asked for it, or whose subaccount did.
  primary_id TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX unasked_mails_by_age ON unasked_mails (at);

CREATE INDEX unasked_mails_by_mailbox ON unasked_mails (mailbox, at);

CREATE INDEX unasked_mails_by_primary ON unasked_mails (primary_id, at);
