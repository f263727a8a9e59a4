-- What a receiver said when it refused an address for good, and when.
ALTER TABLE addresses ADD COLUMN refused_at INTEGER;

ALTER TABLE addresses ADD COLUMN refusal TEXT;
