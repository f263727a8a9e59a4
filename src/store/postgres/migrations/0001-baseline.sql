-- The store's clock, in ms since the epoch: that of the database, for those of its clients differ. It goes on within a transaction.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

CREATE TABLE meta (
  key text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE accounts (
  id text PRIMARY KEY,
  parent_id text REFERENCES accounts (id),
  name text NOT NULL,
  status text NOT NULL,
  created_at bigint NOT NULL,
  time_zone text NOT NULL,
  default_regions text NOT NULL,
  wants_news bigint NOT NULL,
  -- Null until it is first set.
  suppress_all bigint,
  auto_diagnostics bigint NOT NULL,
  -- Seconds between two rechecks of checks that name none of their own.
  recheck_wait bigint NOT NULL DEFAULT 5,
  default_notifications text NOT NULL DEFAULT '[]',
  branding text,
  -- What its calendar's link is made with; null while it has none.
  calendar_key text,
  -- What it counts for in the bytes that its account may keep.
  bytes bigint GENERATED ALWAYS AS (octet_length(name) + octet_length(default_notifications) + octet_length(coalesce(branding, ''))) STORED
);
CREATE INDEX accounts_by_parent ON accounts (parent_id);
CREATE INDEX accounts_deleted ON accounts (id) WHERE status = 'deleted';

-- What is left of a switch of all checks of an account, on or off: those up to a number are done.
CREATE TABLE account_switches (
  account_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  at bigint NOT NULL,
  after_no bigint NOT NULL,
  disable bigint,
  disable_up_to bigint
);

CREATE TABLE tokens (
  digest text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  label text NOT NULL,
  created_at bigint NOT NULL,
  compatibility text NOT NULL CHECK (compatibility IN ('standard', 'legacy')),
  access text NOT NULL CHECK (access IN ('write', 'read')),
  expires_at bigint,
  -- When a request last carried it, to the hour.
  used_at bigint
);
CREATE INDEX tokens_by_account ON tokens (account_id);

CREATE TABLE contacts (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  role text NOT NULL,
  -- A hash, of a contact that may sign in.
  password text,
  password_set_at bigint,
  bytes bigint GENERATED ALWAYS AS (octet_length(name)) STORED
);
CREATE INDEX contacts_by_account ON contacts (account_id, seq);

-- Contacts that are signed in: a hash of what their browser has.
CREATE TABLE sessions (
  digest text PRIMARY KEY,
  account_id text NOT NULL,
  contact_id text NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  created_at bigint NOT NULL,
  -- To some minutes.
  used_at bigint NOT NULL,
  ends_at bigint NOT NULL,
  client text NOT NULL,
  agent text NOT NULL
);
CREATE INDEX sessions_by_contact ON sessions (contact_id);
CREATE INDEX sessions_by_end ON sessions (ends_at);
CREATE INDEX sessions_by_client ON sessions (client);

-- Links that sign a contact in once.
CREATE TABLE sign_in_links (
  digest text PRIMARY KEY,
  account_id text NOT NULL,
  contact_id text NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  ends_at bigint NOT NULL
);
CREATE INDEX sign_in_links_by_contact ON sign_in_links (contact_id);
CREATE INDEX sign_in_links_by_end ON sign_in_links (ends_at);

-- Apps of contacts that show codes by time.
CREATE TABLE totp_factors (
  contact_id text PRIMARY KEY REFERENCES contacts (id) ON DELETE CASCADE,
  account_id text NOT NULL,
  -- The secret that the app has too.
  sealed bytea NOT NULL,
  created_at bigint NOT NULL,
  -- Null until a first code has shown that the app has it.
  confirmed_at bigint,
  -- Of the last code that was used, in half minutes since 1970.
  last_step bigint NOT NULL,
  -- Wrong codes since the last right one.
  failures bigint NOT NULL,
  failed_at bigint NOT NULL
);

-- Keys that devices and password managers of contacts hold; the public halves.
CREATE TABLE passkeys (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  contact_id text NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  label text NOT NULL,
  public_key bytea NOT NULL,
  -- How often it has signed, where its holder counts.
  counter bigint NOT NULL,
  transports text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint
);
CREATE INDEX passkeys_by_contact ON passkeys (contact_id);

-- Codes that each stand once for what a contact shows beside its password.
CREATE TABLE recovery_codes (
  contact_id text NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  digest text NOT NULL,
  account_id text NOT NULL,
  PRIMARY KEY (contact_id, digest)
);

-- Contacts that gave their password, and not yet what they show beside it.
CREATE TABLE pending_sign_ins (
  digest text PRIMARY KEY,
  account_id text NOT NULL,
  contact_id text NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  ends_at bigint NOT NULL
);
CREATE INDEX pending_sign_ins_by_contact ON pending_sign_ins (contact_id);
CREATE INDEX pending_sign_ins_by_end ON pending_sign_ins (ends_at);

-- Who changed what.
CREATE TABLE audit_log (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  at bigint NOT NULL,
  -- Null for the operator of the installation.
  actor_kind text,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  contact_id text,
  client text NOT NULL,
  operation text NOT NULL,
  record_id text,
  fields text NOT NULL,
  -- Null where the values of the fields were not kept.
  changes text
);
CREATE INDEX audit_log_by_account ON audit_log (account_id, seq);
CREATE INDEX audit_log_by_age ON audit_log (at);

CREATE TABLE addresses (
  account_id text NOT NULL,
  contact_id text NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  id text NOT NULL,
  position bigint NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  refused_at bigint,
  refusal text,
  suppress_up bigint NOT NULL,
  suppress_down bigint NOT NULL,
  suppress_first bigint NOT NULL,
  suppress_all bigint NOT NULL,
  suppress_diagnostics bigint NOT NULL,
  -- 0: not muted; 1: muted for good; any other number: muted until then.
  mute bigint NOT NULL,
  -- 0: its owner was asked to agree to messages, and has not yet.
  confirmed bigint NOT NULL,
  -- A hash, of an address that is a mailbox.
  mailbox text,
  -- Which machine takes the messages, as far as that shows: the kind, and a hash of the host.
  destination text NOT NULL,
  -- Sealed JSON of what it takes to reach the address.
  sealed bytea NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(sealed)) STORED,
  PRIMARY KEY (contact_id, id)
);
CREATE INDEX addresses_by_mailbox ON addresses (mailbox, account_id) WHERE mailbox IS NOT NULL;

CREATE TABLE contact_groups (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  members text NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(name) + octet_length(members)) STORED
);
CREATE INDEX contact_groups_by_account ON contact_groups (account_id, seq);

CREATE TABLE profiles (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  subscriptions text NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(name) + octet_length(subscriptions)) STORED
);
CREATE INDEX profiles_by_account ON profiles (account_id, seq);

CREATE TABLE schedules (
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  days text NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(name) + octet_length(days)) STORED,
  PRIMARY KEY (account_id, name)
);

-- Which records were made from a configuration that is kept in files.
CREATE TABLE configurations (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  -- How many of them there are.
  size integer NOT NULL,
  -- JSON: their ids, by the keys that they have there.
  records text NOT NULL,
  created_at bigint NOT NULL,
  modified_at bigint NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(name) + octet_length(records)) STORED
);
CREATE INDEX configurations_by_account ON configurations (account_id, seq);

CREATE TABLE system_mails (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  contact_id text NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  -- Of mails about the same topic to the same contact only the last is kept.
  topic text NOT NULL,
  -- Sealed JSON: it may hold a password.
  sealed bytea NOT NULL,
  created_at bigint NOT NULL,
  attempts bigint NOT NULL,
  next_attempt_at bigint NOT NULL
);
CREATE INDEX system_mails_by_account ON system_mails (account_id);
CREATE INDEX system_mails_by_contact ON system_mails (contact_id, topic);

-- Welcomes, passwords and test messages of the last day, which have a limit.
CREATE TABLE unasked_mails (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A hash.
  mailbox text NOT NULL,
  -- The account that asked for it, or whose subaccount did.
  primary_id text NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX unasked_mails_by_age ON unasked_mails (at);
CREATE INDEX unasked_mails_by_mailbox ON unasked_mails (mailbox, at);
CREATE INDEX unasked_mails_by_primary ON unasked_mails (primary_id, at);

-- How many mails of alerts a mailbox was sent in the day that began with the first of them.
CREATE TABLE alert_mails (
  -- A hash.
  mailbox text PRIMARY KEY,
  since bigint NOT NULL,
  sent bigint NOT NULL
);
CREATE INDEX alert_mails_by_age ON alert_mails (since);

-- Locations on other machines that were live, until they are forgotten.
CREATE TABLE locations (
  code text PRIMARY KEY,
  -- Null where it counts for every region.
  region text,
  -- That of the program of its probes, where they say so.
  version text,
  first_seen_at bigint NOT NULL,
  last_seen_at bigint NOT NULL
);

CREATE TABLE checks (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  -- A hash of the id.
  shard bigint NOT NULL,
  account_id text NOT NULL REFERENCES accounts (id),
  type text NOT NULL,
  label text NOT NULL,
  interval_minutes double precision NOT NULL,
  timeout_seconds double precision NOT NULL,
  rechecks bigint,
  -- Seconds between two rechecks; null for the account's.
  recheck_wait bigint,
  enabled bigint NOT NULL,
  disabled_with_all bigint NOT NULL,
  public bigint NOT NULL,
  regions text,
  -- Sealed JSON.
  parameters bytea NOT NULL,
  notifications text NOT NULL,
  depends_on text,
  -- As on an address.
  mute bigint NOT NULL,
  diagnose bigint NOT NULL,
  -- Whether a first result that is up alerts nobody.
  quiet_first bigint NOT NULL DEFAULT 0,
  tags text NOT NULL,
  description text NOT NULL,
  home text,
  revision bigint NOT NULL,
  revision_hash text NOT NULL,
  -- Counts the changes of what runs: results and flips carry it.
  run_revision bigint NOT NULL,
  run_changed_at bigint NOT NULL,
  uuid text NOT NULL,
  queue text NOT NULL,
  created_at bigint NOT NULL,
  modified_at bigint NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(label) + octet_length(coalesce(regions, '')) + octet_length(parameters) + octet_length(notifications) + octet_length(tags) + octet_length(description)) STORED
);
CREATE INDEX checks_by_account ON checks (account_id, no);
CREATE INDEX checks_by_uuid ON checks (uuid) WHERE public = 1;
CREATE INDEX checks_by_shard ON checks (shard, no);
CREATE INDEX checks_by_dependency ON checks (account_id, depends_on, id) WHERE depends_on IS NOT NULL;

CREATE TABLE check_revisions (
  check_no bigint NOT NULL,
  revision bigint NOT NULL,
  type text NOT NULL,
  sealed_target bytea NOT NULL,
  timeout_seconds double precision NOT NULL,
  interval_minutes double precision NOT NULL,
  PRIMARY KEY (check_no, revision)
);

-- A unit about a check locks its row first.
CREATE TABLE check_states (
  check_no bigint PRIMARY KEY REFERENCES checks (no) ON DELETE CASCADE,
  state text,
  -- When the first run began that led to a verdict; null before that.
  known_since bigint,
  down_since bigint,
  outage text,
  -- When that outage began, whatever interrupted it since.
  outage_since bigint,
  -- Who sees to that outage; null where nobody said so.
  acknowledged_at bigint,
  acknowledged_by text,
  acknowledged_note text,
  -- JSON: the locations at which the latest run failed, while others may pass; null where there are none.
  failing_locations text
) WITH (fillfactor = 50);

-- Checks that were removed and of which rows are still to be purged.
CREATE TABLE removed_checks (
  check_no bigint PRIMARY KEY
);

-- When a check was enabled, down, or paused by a maintenance.
CREATE TABLE spans (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  check_no bigint NOT NULL,
  kind text NOT NULL,
  start_at bigint NOT NULL,
  end_at bigint,
  text text NOT NULL DEFAULT '',
  message text NOT NULL DEFAULT '',
  -- Of one that is down.
  acknowledged_at bigint,
  acknowledged_by text
);
CREATE INDEX spans_by_check ON spans (check_no, kind, start_at);
CREATE INDEX spans_by_end ON spans (check_no, kind, end_at);
CREATE UNIQUE INDEX spans_open ON spans (check_no, kind) WHERE end_at IS NULL;
CREATE INDEX spans_open_down ON spans (check_no) WHERE end_at IS NULL AND kind = 'down';

CREATE TABLE gaps (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  check_no bigint NOT NULL,
  -- The one that the check shows, until a tick has a result.
  is_open bigint NOT NULL,
  kind text NOT NULL,
  reason text NOT NULL,
  message text NOT NULL,
  first_tick bigint NOT NULL,
  last_tick bigint NOT NULL,
  ticks bigint NOT NULL
);
CREATE INDEX gaps_by_check ON gaps (check_no, seq);
CREATE UNIQUE INDEX gaps_open ON gaps (check_no) WHERE is_open = 1;
CREATE INDEX gaps_by_age ON gaps (last_tick) WHERE is_open = 0;

CREATE TABLE flips (
  id text PRIMARY KEY,
  check_no bigint NOT NULL,
  from_state text,
  to_state text NOT NULL,
  at bigint NOT NULL,
  since bigint NOT NULL,
  revision bigint NOT NULL,
  text text NOT NULL,
  message text NOT NULL
);
CREATE INDEX flips_by_check ON flips (check_no, at);
CREATE INDEX flips_by_age ON flips (at);

CREATE TABLE evidence (
  account_id text NOT NULL,
  check_no bigint NOT NULL,
  started_at bigint NOT NULL,
  -- That of a flip is kept as long as its result; of the rest only the newest are.
  flipped bigint NOT NULL,
  text text NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(text)) STORED,
  PRIMARY KEY (check_no, started_at)
);
CREATE INDEX evidence_by_account ON evidence (account_id, started_at);
CREATE INDEX evidence_by_age ON evidence (started_at);

-- Runs of jobs that have begun and not ended.
CREATE TABLE started_runs (
  check_no bigint NOT NULL,
  -- Empty for a sender whose runs never go on at one time.
  run_id text NOT NULL,
  started_at bigint NOT NULL,
  -- When it takes too long; null where it may take any time, and once that was found.
  due_at bigint,
  PRIMARY KEY (check_no, run_id)
);
CREATE INDEX started_runs_by_age ON started_runs (started_at);
CREATE INDEX started_runs_due ON started_runs (due_at) WHERE due_at IS NOT NULL;

-- Addresses that heartbeats had in another system.
CREATE TABLE heartbeat_aliases (
  -- A hash.
  digest text NOT NULL,
  -- Of the check. Each account holds an address for itself.
  account_id text NOT NULL,
  check_no bigint NOT NULL REFERENCES checks (no) ON DELETE CASCADE,
  system text NOT NULL,
  -- How people recognise it.
  hint text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (digest, account_id)
);
CREATE INDEX heartbeat_aliases_by_check ON heartbeat_aliases (check_no);

-- What records were in the systems that they were imported from.
CREATE TABLE imported_records (
  account_id text NOT NULL,
  origin text NOT NULL,
  kind text NOT NULL,
  origin_id text NOT NULL,
  record_id text NOT NULL,
  -- JSON: by field digests of what it was there and here when it was imported; null where that is not known.
  fields text,
  PRIMARY KEY (account_id, origin, kind, origin_id)
);

-- The history of checks that another system kept, and what it is of: before the check itself had any.
CREATE TABLE imported_histories (
  check_no bigint PRIMARY KEY,
  account_id text NOT NULL,
  origin text NOT NULL,
  start_at bigint NOT NULL,
  end_at bigint NOT NULL,
  -- How many there are.
  spans bigint NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX imported_histories_by_account ON imported_histories (account_id);

CREATE TABLE imported_spans (
  check_no bigint NOT NULL,
  kind text NOT NULL,
  start_at bigint NOT NULL,
  end_at bigint NOT NULL,
  message text NOT NULL,
  PRIMARY KEY (check_no, kind, start_at)
);

CREATE TABLE certificates (
  check_no bigint NOT NULL,
  observed_at bigint NOT NULL,
  location text NOT NULL,
  subject text NOT NULL,
  issuer text NOT NULL,
  valid_to bigint NOT NULL,
  -- When the next one was observed at its location; null while it is the latest.
  replaced_at bigint,
  PRIMARY KEY (check_no, observed_at)
);
CREATE INDEX certificates_by_age ON certificates (replaced_at) WHERE replaced_at IS NOT NULL;
CREATE INDEX certificates_latest ON certificates (check_no, location) WHERE replaced_at IS NULL;

CREATE TABLE maintenances (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  id text NOT NULL,
  name text NOT NULL,
  duration_minutes bigint NOT NULL,
  check_ids text NOT NULL,
  enabled bigint NOT NULL,
  cron text,
  -- Of one without a cron.
  starts_at bigint,
  next_at bigint,
  -- Null unless it is under way.
  ends_at bigint,
  history text NOT NULL,
  changed_at bigint NOT NULL,
  changed_by text NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(name) + octet_length(check_ids) + octet_length(coalesce(cron, ''))) STORED,
  UNIQUE (account_id, id)
);
CREATE INDEX maintenances_due ON maintenances ((coalesce(ends_at, next_at)));

-- The checks that a maintenance under way has paused.
CREATE TABLE maintenance_checks (
  check_no bigint NOT NULL REFERENCES checks (no) ON DELETE CASCADE,
  maintenance_seq bigint NOT NULL REFERENCES maintenances (seq) ON DELETE CASCADE,
  PRIMARY KEY (check_no, maintenance_seq)
);
CREATE INDEX maintenance_checks_by_maintenance ON maintenance_checks (maintenance_seq);

-- Pages that show strangers how chosen checks are.
CREATE TABLE status_pages (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  enabled bigint NOT NULL,
  access text NOT NULL,
  outage_incidents text NOT NULL,
  -- A hash.
  password text,
  title text NOT NULL,
  settings text NOT NULL,
  sections text NOT NULL,
  logo text,
  created_at bigint NOT NULL,
  modified_at bigint NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(title) + octet_length(settings) + octet_length(sections) + octet_length(coalesce(logo, ''))) STORED
);
CREATE INDEX status_pages_by_account ON status_pages (account_id, seq);
CREATE INDEX status_pages_by_outages ON status_pages (account_id) WHERE outage_incidents <> 'off';

-- No two pages of the installation share one.
CREATE TABLE status_page_names (
  kind text NOT NULL,
  name text NOT NULL,
  page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  PRIMARY KEY (kind, name)
);
CREATE INDEX status_page_names_by_page ON status_page_names (page_id);

-- Outages for which there is, or was, an incident on a page, until they are over.
CREATE TABLE status_page_outages (
  page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  check_id text NOT NULL,
  outage text NOT NULL,
  incident_id text NOT NULL,
  PRIMARY KEY (page_id, check_id)
);

-- What is posted on status pages.
CREATE TABLE incidents (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  kind text NOT NULL,
  title text NOT NULL,
  -- Null for all pages of the account.
  page_ids text,
  check_ids text NOT NULL,
  -- A draft is not.
  is_published bigint NOT NULL,
  is_automatic bigint NOT NULL,
  -- Null where people made it.
  outage_page_id text,
  -- When a maintenance begins or ends by itself.
  next_stage_at bigint,
  is_closed bigint NOT NULL,
  starts_at bigint NOT NULL,
  ends_at bigint,
  updates text NOT NULL,
  created_at bigint NOT NULL,
  modified_at bigint NOT NULL,
  bytes bigint GENERATED ALWAYS AS (octet_length(title) + octet_length(coalesce(page_ids, '')) + octet_length(check_ids) + octet_length(updates)) STORED
);
CREATE INDEX incidents_by_account ON incidents (account_id, is_closed, starts_at);
CREATE INDEX incidents_by_outage_page ON incidents (outage_page_id, seq) WHERE outage_page_id IS NOT NULL;
CREATE INDEX incidents_open_by_outage ON incidents (outage_page_id) WHERE outage_page_id IS NOT NULL AND is_closed = 0 AND is_automatic = 1;
CREATE INDEX incidents_due ON incidents (next_stage_at) WHERE next_stage_at IS NOT NULL;

-- Who is notified of what is posted on a status page. Of one that has ended nothing is left but a keyed hash.
CREATE TABLE page_subscribers (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  kind text NOT NULL,
  digest text NOT NULL UNIQUE,
  sealed bytea,
  state text NOT NULL,
  created_at bigint NOT NULL,
  confirmed_at bigint,
  ends_at bigint
);
CREATE INDEX page_subscribers_by_account ON page_subscribers (account_id);
CREATE INDEX page_subscribers_by_page ON page_subscribers (page_id, state, seq);
CREATE INDEX page_subscribers_ending ON page_subscribers (ends_at) WHERE ends_at IS NOT NULL;

-- Updates of an incident that are sent to the subscribers of a page, together.
CREATE TABLE page_posts (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  primary_id text NOT NULL,
  page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  incident_id text NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  from_update bigint NOT NULL,
  to_update bigint NOT NULL,
  created_at bigint NOT NULL,
  due_at bigint NOT NULL,
  -- Once there are messages of it, nothing is added.
  is_begun bigint NOT NULL,
  is_spread bigint NOT NULL,
  -- The last subscriber that has a message.
  spread_to bigint NOT NULL
);
CREATE INDEX page_posts_by_account ON page_posts (account_id);
CREATE INDEX page_posts_by_incident ON page_posts (incident_id, page_id);
CREATE INDEX page_posts_by_page ON page_posts (page_id);
CREATE INDEX page_posts_due ON page_posts (due_at) WHERE is_spread = 0;

CREATE TABLE page_messages (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null for a request to confirm.
  post_id text REFERENCES page_posts (id) ON DELETE CASCADE,
  subscriber_id text NOT NULL REFERENCES page_subscribers (id) ON DELETE CASCADE,
  account_id text NOT NULL REFERENCES accounts (id),
  primary_id text NOT NULL,
  kind text NOT NULL,
  created_at bigint NOT NULL,
  attempts bigint NOT NULL,
  next_attempt_at bigint NOT NULL
);
CREATE INDEX page_messages_by_account ON page_messages (account_id);
CREATE INDEX page_messages_by_post ON page_messages (post_id);
CREATE INDEX page_messages_by_subscriber ON page_messages (subscriber_id);
CREATE INDEX page_messages_due ON page_messages (next_attempt_at);
CREATE INDEX page_messages_of_account ON page_messages (kind, primary_id, next_attempt_at) WHERE post_id IS NOT NULL;
CREATE INDEX page_messages_requests ON page_messages (kind, next_attempt_at) WHERE post_id IS NULL;

CREATE TABLE diagnostics (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  check_no bigint NOT NULL,
  check_id text NOT NULL,
  outage text NOT NULL,
  location text NOT NULL,
  created_at bigint NOT NULL,
  attempts bigint NOT NULL,
  -- Null once it is finished.
  next_attempt_at bigint,
  ended_at bigint,
  findings text
);
CREATE INDEX diagnostics_by_account ON diagnostics (account_id);
CREATE INDEX diagnostics_by_age ON diagnostics (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX diagnostics_by_check ON diagnostics (check_no, seq);
CREATE INDEX diagnostics_due ON diagnostics (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- What happened, as alerts say it: once for all alerts of a flip, however many addresses it is about.
CREATE TABLE notices (
  id text PRIMARY KEY,
  notice text NOT NULL
);

CREATE TABLE alerts (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  flip_id text NOT NULL,
  account_id text NOT NULL REFERENCES accounts (id),
  check_no bigint NOT NULL,
  check_id text NOT NULL,
  outage text,
  kind text NOT NULL,
  -- Of a reminder: which it is.
  number bigint NOT NULL DEFAULT 0,
  -- Which reminders follow it, and the number of the last; null where none do.
  repeat_minutes bigint,
  repeat_last bigint,
  contact_id text NOT NULL,
  address_id text NOT NULL,
  -- A JSON array of names: it may go out in the windows of any of them.
  schedules text NOT NULL,
  notice_id text NOT NULL,
  created_at bigint NOT NULL,
  due_at bigint NOT NULL,
  status text NOT NULL,
  reason text,
  attempts bigint NOT NULL,
  next_attempt_at bigint NOT NULL,
  -- It is tried again until then, and once at that very instant.
  retry_until bigint NOT NULL,
  -- Null while no notifier has claimed it.
  lease_until bigint,
  possibly_sent bigint NOT NULL,
  -- Whether it passed the rules that are asked once, before the first attempt.
  judged bigint NOT NULL,
  -- Whether an attempt failed, or none was made in time, by no rule of its recipient.
  unreached bigint NOT NULL DEFAULT 0,
  sent_kind text,
  sealed_recipient bytea,
  sent_from text,
  subject text,
  body text,
  network text,
  -- What else is sent of a message; null once the alert has ended, and in a bundle.
  sealed_details bytea,
  last_at bigint,
  response text,
  bundle text,
  -- As its address had it at the insert.
  destination text NOT NULL,
  -- A hash of the host, the state and the reason; null where no host is checked.
  cause text,
  -- Whether no earlier one about the same check to the same address waits: kept by the triggers.
  is_first bigint NOT NULL DEFAULT 0,
  -- When it can be claimed; null where it cannot.
  claimable_at bigint GENERATED ALWAYS AS (CASE WHEN status = 'waiting' AND is_first = 1 THEN greatest(next_attempt_at, lease_until) END) STORED,
  UNIQUE (flip_id, contact_id, address_id, kind, number)
);
CREATE INDEX alerts_by_age ON alerts ((coalesce(last_at, created_at))) WHERE status NOT IN ('waiting', 'held');
CREATE INDEX alerts_by_account ON alerts (account_id, coalesce(last_at, created_at));
CREATE INDEX alerts_by_address ON alerts (contact_id, address_id, next_attempt_at, seq) WHERE status = 'waiting';
CREATE INDEX alerts_by_bundle ON alerts (bundle) WHERE bundle IS NOT NULL;
CREATE INDEX alerts_by_check ON alerts (check_id, coalesce(last_at, created_at));
CREATE INDEX alerts_by_outage ON alerts (outage, contact_id, address_id);
CREATE INDEX alerts_held ON alerts (check_no) WHERE status = 'held';
CREATE INDEX alerts_unconfirmed ON alerts (contact_id) WHERE status = 'held' AND reason = 'address_unconfirmed';
CREATE INDEX alerts_claimable ON alerts (claimable_at, seq) WHERE claimable_at IS NOT NULL;
CREATE INDEX alerts_in_line ON alerts (check_no, contact_id, address_id, seq) WHERE status = 'waiting';
CREATE INDEX alerts_queued ON alerts (account_id, destination, claimable_at, seq) WHERE claimable_at IS NOT NULL;

CREATE FUNCTION alert_waits_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE alerts SET is_first = 1 WHERE seq = NEW.seq AND NOT EXISTS (SELECT 1 FROM alerts WHERE status = 'waiting' AND check_no = NEW.check_no AND contact_id = NEW.contact_id AND address_id = NEW.address_id AND seq < NEW.seq);
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_waits_first AFTER INSERT ON alerts FOR EACH ROW WHEN (NEW.status = 'waiting') EXECUTE FUNCTION alert_waits_first();
CREATE FUNCTION alert_leaves_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE alerts SET is_first = 0 WHERE seq = NEW.seq;
  UPDATE alerts SET is_first = 1 WHERE seq = (SELECT seq FROM alerts WHERE status = 'waiting' AND check_no = NEW.check_no AND contact_id = NEW.contact_id AND address_id = NEW.address_id ORDER BY seq LIMIT 1);
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_leaves_line AFTER UPDATE OF status ON alerts FOR EACH ROW WHEN (OLD.status = 'waiting' AND NEW.status <> 'waiting') EXECUTE FUNCTION alert_leaves_line();
CREATE FUNCTION alert_waits_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE alerts SET is_first = 0 WHERE seq = (SELECT seq FROM alerts WHERE status = 'waiting' AND check_no = NEW.check_no AND contact_id = NEW.contact_id AND address_id = NEW.address_id AND seq > NEW.seq ORDER BY seq LIMIT 1);
  UPDATE alerts SET is_first = 1 WHERE seq = (SELECT seq FROM alerts WHERE status = 'waiting' AND check_no = NEW.check_no AND contact_id = NEW.contact_id AND address_id = NEW.address_id ORDER BY seq LIMIT 1);
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_waits_again AFTER UPDATE OF status ON alerts FOR EACH ROW WHEN (OLD.status <> 'waiting' AND NEW.status = 'waiting') EXECUTE FUNCTION alert_waits_again();
CREATE FUNCTION alert_removed_from_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE alerts SET is_first = 1 WHERE seq = (SELECT seq FROM alerts WHERE status = 'waiting' AND check_no = OLD.check_no AND contact_id = OLD.contact_id AND address_id = OLD.address_id ORDER BY seq LIMIT 1);
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_removed_from_line AFTER DELETE ON alerts FOR EACH ROW WHEN (OLD.status = 'waiting') EXECUTE FUNCTION alert_removed_from_line();
CREATE FUNCTION alert_leaves_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notices WHERE id = OLD.notice_id AND NOT EXISTS (SELECT 1 FROM alerts WHERE flip_id = OLD.flip_id AND notice_id = OLD.notice_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_leaves_notice AFTER DELETE ON alerts FOR EACH ROW EXECUTE FUNCTION alert_leaves_notice();

CREATE TABLE bundles (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  size bigint NOT NULL,
  message text NOT NULL
);
CREATE INDEX bundles_by_account ON bundles (account_id);

-- When an address was last sent to, while later alerts to it wait to be grouped.
CREATE TABLE recent_sends (
  contact_id text NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  address_id text NOT NULL,
  at bigint NOT NULL,
  -- How many messages of a burst this was, and what follows waits for how long.
  messages bigint NOT NULL,
  wait_ms bigint NOT NULL,
  longest_ms bigint NOT NULL,
  -- Null where the message was about several checks.
  check_no bigint,
  -- JSON: those of the alerts in the messages of the burst, the latest of them.
  causes text NOT NULL,
  PRIMARY KEY (contact_id, address_id)
);

CREATE TABLE deliveries (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id text NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  attempt bigint NOT NULL,
  started_at bigint NOT NULL,
  ended_at bigint NOT NULL,
  accepted bigint NOT NULL,
  response text NOT NULL
);
CREATE INDEX deliveries_by_alert ON deliveries (alert_id, seq);

-- What units changed of an account's configuration, for every process that caches or runs it; and what happened to its checks, for whoever shows them.
CREATE TABLE changes (
  -- With the sequence alone a late commit of a lower number would be missed.
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  -- Null where the account itself changed.
  check_no bigint,
  kind text NOT NULL DEFAULT 'configuration',
  -- The id of a check that was removed.
  removed_id text,
  at bigint NOT NULL,
  PRIMARY KEY (xid, seq)
);
CREATE UNIQUE INDEX changes_by_seq ON changes (seq);

-- The days, as instants at which they begin, on which the service ran: retention counts them, for a clock may be wrong.
CREATE TABLE service_days (
  day bigint PRIMARY KEY,
  -- How long the service has run since it entered this day, by the monotonic clock.
  run_ms bigint NOT NULL,
  counted_at bigint NOT NULL
);

-- Results that no table of results takes, for whoever looks for the reason.
CREATE TABLE rejected_results (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  check_no bigint NOT NULL,
  rejected_at bigint NOT NULL,
  reason text NOT NULL,
  result text NOT NULL
);
CREATE INDEX rejected_results_by_check ON rejected_results (check_no);
CREATE INDEX rejected_results_by_age ON rejected_results (rejected_at);

-- One row for every address that ever had an alert: whoever locks it claims the alerts to that address.
CREATE TABLE lanes (
  contact_id text NOT NULL,
  address_id text NOT NULL,
  account_id text NOT NULL,
  PRIMARY KEY (contact_id, address_id)
);
CREATE INDEX lanes_by_account ON lanes (account_id);

-- A process that runs checks, while it renews its row: whoever sees the same beat five times deletes it.
CREATE TABLE controllers (
  id text PRIMARY KEY,
  beat bigint NOT NULL,
  -- Whether it reaches the locations.
  bus_ok boolean NOT NULL,
  -- How long the lease holds after the latest beat was sent: the further away the database is, the longer.
  held_ms bigint NOT NULL
) WITH (fillfactor = 50);

-- A process that receives heartbeats, and whether it could: while one cannot, no check is stale.
CREATE TABLE push_hearing (
  id text PRIMARY KEY,
  beat bigint NOT NULL,
  interruptions bigint NOT NULL,
  is_deaf boolean NOT NULL,
  -- Where it accepts connections, for no alert is sent there; null before it does.
  port bigint,
  addresses text[],
  network text
) WITH (fillfactor = 50);

-- The latest report of each process about itself: nothing of it is worth anything after a crash.
CREATE UNLOGGED TABLE process_reports (
  id text PRIMARY KEY,
  host text NOT NULL,
  -- Its open problems.
  problems json NOT NULL,
  reported_at bigint NOT NULL
) WITH (fillfactor = 50);

-- When a heartbeat came that was not stored, for there were too many: it is worth nothing after a crash.
CREATE UNLOGGED TABLE push_signs (
  check_no bigint PRIMARY KEY,
  at bigint NOT NULL
);

-- Each shard of the checks, and the controller that runs them.
CREATE TABLE shards (
  shard bigint PRIMARY KEY,
  owner text,
  epoch bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO shards (shard) SELECT generate_series(0, 255);

-- What a unit locks whose name is no row of its own: many names share a row, and wait for each other.
CREATE TABLE name_locks (
  slot bigint PRIMARY KEY
) WITH (fillfactor = 50);
INSERT INTO name_locks (slot) SELECT generate_series(0, 1023);

-- A partition for each day, which src/store/postgres/partitions makes and drops.
CREATE TABLE results (
  check_no bigint NOT NULL,
  started_at bigint NOT NULL,
  ended_at bigint NOT NULL,
  tick bigint NOT NULL,
  revision bigint NOT NULL,
  passed bigint NOT NULL,
  reason text NOT NULL,
  text text NOT NULL,
  message text NOT NULL,
  runtime_ms bigint NOT NULL,
  location text NOT NULL,
  earlier_runs text NOT NULL,
  timings text,
  PRIMARY KEY (check_no, started_at)
) PARTITION BY RANGE (started_at);

-- Results that no partition takes: of a day whose partition is gone or not there yet, and of a check and day that cannot be packed.
CREATE TABLE stray_results (LIKE results INCLUDING ALL);
CREATE INDEX stray_results_by_start ON stray_results (started_at);

-- A result may be in both.
CREATE VIEW all_results AS SELECT * FROM results UNION ALL SELECT * FROM stray_results;

-- Results of a check and a day that is over, in one blob: read by src/store/packed. Those that came later are rows of results.
CREATE TABLE packed_days (
  check_no bigint NOT NULL,
  -- The instant at which it begins.
  day bigint NOT NULL,
  -- Starts of the first and the last of them.
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  last_tick bigint NOT NULL,
  results bigint NOT NULL,
  -- Out of line, and as it is: it is deflated already.
  packed bytea NOT NULL,
  -- So many rows of this partition are in it, by its oid: where these are all of the check, nothing is lost with the partition.
  partition bigint,
  partition_rows bigint,
  PRIMARY KEY (check_no, day)
);
ALTER TABLE packed_days ALTER COLUMN packed SET STORAGE EXTERNAL;
CREATE INDEX packed_days_by_age ON packed_days (last_at);

-- What the results of a check and a day that is over add up to, by location and hour or as a whole: read by src/store/packed.
CREATE TABLE hourly_summaries (
  check_no bigint NOT NULL,
  day bigint NOT NULL,
  packed bytea NOT NULL,
  PRIMARY KEY (check_no, day)
);
ALTER TABLE hourly_summaries ALTER COLUMN packed SET STORAGE EXTERNAL;
CREATE INDEX hourly_summaries_by_age ON hourly_summaries (day);
CREATE TABLE daily_summaries (
  check_no bigint NOT NULL,
  day bigint NOT NULL,
  packed bytea NOT NULL,
  PRIMARY KEY (check_no, day)
);
ALTER TABLE daily_summaries ALTER COLUMN packed SET STORAGE EXTERNAL;
CREATE INDEX daily_summaries_by_age ON daily_summaries (day);

-- What an account keeps of each kind that has a limit, its subaccounts included: kept by the triggers.
CREATE TABLE account_usage (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind text NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (account_id, kind)
);
-- A unit that adds to a row locks it until its end: what it reads there then, no other can change before.
CREATE FUNCTION use_account(account text, used_kind text, added bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO account_usage AS known (account_id, kind, used) SELECT id, used_kind, added FROM accounts WHERE id = account OR id = (SELECT parent_id FROM accounts WHERE id = account) ORDER BY parent_id NULLS FIRST ON CONFLICT (account_id, kind) DO UPDATE SET used = known.used + excluded.used
$$;
CREATE FUNCTION account_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM use_account(NEW.id, 'configuration', NEW.bytes);
    PERFORM use_account(NEW.parent_id, 'subaccounts', 1);
  ELSIF TG_OP = 'UPDATE' THEN
    PERFORM use_account(NEW.id, 'configuration', NEW.bytes - OLD.bytes);
  ELSE
    PERFORM use_account(OLD.parent_id, 'configuration', -OLD.bytes);
    PERFORM use_account(OLD.parent_id, 'subaccounts', -1);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER accounts_added AFTER INSERT OR DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION account_used();
CREATE TRIGGER accounts_updated AFTER UPDATE ON accounts FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION account_used();
-- Counts bytes, and rows where they have a kind of their own.
CREATE FUNCTION record_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM use_account(NEW.account_id, 'configuration', NEW.bytes);
  ELSIF TG_OP = 'UPDATE' THEN
    PERFORM use_account(NEW.account_id, 'configuration', NEW.bytes - OLD.bytes);
    RETURN NULL;
  ELSE
    PERFORM use_account(OLD.account_id, 'configuration', -OLD.bytes);
  END IF;
  IF TG_NARGS = 1 THEN
    IF TG_OP = 'INSERT' THEN
      PERFORM use_account(NEW.account_id, TG_ARGV[0], 1);
    ELSE
      PERFORM use_account(OLD.account_id, TG_ARGV[0], -1);
    END IF;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER contacts_added AFTER INSERT OR DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION record_used('contacts');
CREATE TRIGGER contacts_updated AFTER UPDATE ON contacts FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used('contacts');
CREATE TRIGGER addresses_added AFTER INSERT OR DELETE ON addresses FOR EACH ROW EXECUTE FUNCTION record_used();
CREATE TRIGGER addresses_updated AFTER UPDATE ON addresses FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used();
CREATE TRIGGER contact_groups_added AFTER INSERT OR DELETE ON contact_groups FOR EACH ROW EXECUTE FUNCTION record_used('contactgroups');
CREATE TRIGGER contact_groups_updated AFTER UPDATE ON contact_groups FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used('contactgroups');
CREATE TRIGGER profiles_added AFTER INSERT OR DELETE ON profiles FOR EACH ROW EXECUTE FUNCTION record_used('notificationprofiles');
CREATE TRIGGER profiles_updated AFTER UPDATE ON profiles FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used('notificationprofiles');
CREATE TRIGGER schedules_added AFTER INSERT OR DELETE ON schedules FOR EACH ROW EXECUTE FUNCTION record_used('schedules');
CREATE TRIGGER schedules_updated AFTER UPDATE ON schedules FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used('schedules');
CREATE TRIGGER configurations_added AFTER INSERT OR DELETE ON configurations FOR EACH ROW EXECUTE FUNCTION record_used();
CREATE TRIGGER configurations_updated AFTER UPDATE ON configurations FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used();
CREATE TRIGGER checks_added AFTER INSERT OR DELETE ON checks FOR EACH ROW EXECUTE FUNCTION record_used('checks');
CREATE TRIGGER checks_updated AFTER UPDATE ON checks FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used('checks');
CREATE TRIGGER maintenances_added AFTER INSERT OR DELETE ON maintenances FOR EACH ROW EXECUTE FUNCTION record_used('maintenances');
CREATE TRIGGER maintenances_updated AFTER UPDATE ON maintenances FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used('maintenances');
CREATE TRIGGER status_pages_added AFTER INSERT OR DELETE ON status_pages FOR EACH ROW EXECUTE FUNCTION record_used('statuspages');
CREATE TRIGGER status_pages_updated AFTER UPDATE ON status_pages FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used('statuspages');
CREATE TRIGGER incidents_added AFTER INSERT OR DELETE ON incidents FOR EACH ROW EXECUTE FUNCTION record_used('incidents');
CREATE TRIGGER incidents_updated AFTER UPDATE ON incidents FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION record_used('incidents');
CREATE FUNCTION evidence_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM use_account(NEW.account_id, 'evidence', NEW.bytes);
  ELSE
    PERFORM use_account(OLD.account_id, 'evidence', -OLD.bytes);
  END IF;
  RETURN NULL;
END
$$;
-- Counted at the commit: all flips of an account update this row, and must not wait for each other's round trips.
CREATE CONSTRAINT TRIGGER evidence_added AFTER INSERT OR DELETE ON evidence DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION evidence_used();
