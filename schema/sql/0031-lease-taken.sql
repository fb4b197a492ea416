-- migration: expand
-- Since when its holder has a lease: told in metrics.
alter table lease add column taken_at timestamptz;
