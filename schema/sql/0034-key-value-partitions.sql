-- migration: expand
-- What callers can fill (claims, counters, cache, entities) is bounded apart from security state, which is never removed before it expires.
alter table key_value add column partition text not null default 'security';
