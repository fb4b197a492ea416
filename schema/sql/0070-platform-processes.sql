-- migration: expand
-- Processes that run now, each under a lease that it renews; unlogged, because a crash of the server ends every lease.
create unlogged table platform_process (
  id uuid primary key,
  roles text[] not null,
  host text not null,
  release text not null,
  build_commit text not null,
  schema_level integer not null,
  pool_size integer not null,
  -- the search index that it uses; null if its roles use none
  search_index text,
  -- {"VAULT_KEY": {"currentId": …, "previousIds": […]}}: ids only
  keys jsonb not null,
  started_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
-- Complete backups, for the alert on their age.
create table platform_backup (
  id bigint generated always as identity primary key,
  finished_at timestamptz(3) not null default now(),
  folder text not null,
  release text not null,
  row_count bigint not null
);
-- Ids that a key had before a rotation.
alter table platform_key add column former_ids text[] not null default '{}';
