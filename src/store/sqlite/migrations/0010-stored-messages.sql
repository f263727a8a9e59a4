-- What an alert sends beside its subject and body, so that a later attempt sends the same.
alter table alerts add column sealed_details blob;
