-- migration: expand
-- HMAC of an author_ref that no service key vouches for: found by an erasure, never counted as that person.
alter table expression add column if not exists unverified_author bytea;
