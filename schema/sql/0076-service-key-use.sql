-- migration: expand
-- The last use of a service key, to the minute.
alter table service_key add column last_used_at timestamptz;
