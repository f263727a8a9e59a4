-- What is due to one address, so that a claim finds who shares a message without a look at all that is due.
CREATE INDEX alerts_by_address ON alerts (contact_id, address_id, next_attempt_at, seq) WHERE status = 'waiting';
