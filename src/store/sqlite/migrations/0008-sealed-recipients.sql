-- Where an alert was sent to, sealed as addresses of contacts are; earlier ones keep it in sent_to.
ALTER TABLE alerts ADD COLUMN sealed_to BLOB;
