-- migration: expand, concurrently
-- Finds the votes and expressions of a person, and the audit records about one.
create index concurrently if not exists vote_voter on vote (voter);
create index concurrently if not exists expression_person on expression (coalesce(author, unverified_author)) where coalesce(author, unverified_author) is not null;
create index concurrently if not exists audit_record_target on audit_record (target) where target is not null;
-- Records of earlier releases with citizen codes in plain text, which the upkeep of administration replaces by pseudonyms.
create index concurrently if not exists audit_record_plain_citizen on audit_record (id) where action = 'delegations.read' and ((details ->> 'side' in ('delegator', 'delegate') and target !~ '^citizen:[A-Za-z0-9_-]{43}$') or details ->> 'delegator' !~ '^citizen:[A-Za-z0-9_-]{43}$' or details ->> 'delegate' !~ '^citizen:[A-Za-z0-9_-]{43}$');
