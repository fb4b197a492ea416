-- migration: expand, concurrently
-- Finds the entries of a partition that expire first.
create index concurrently if not exists key_value_partition on key_value (partition, expires_at);
