-- JSON; null where mails of the account look as they usually do.
ALTER TABLE accounts ADD COLUMN branding TEXT;
