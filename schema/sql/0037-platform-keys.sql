-- migration: expand
-- Ids of keys that must never change, as they were first used: half of their SHA-256.
create table if not exists platform_key (
  name text primary key,
  key_id text not null,
  recorded_at timestamptz(3) not null default now()
);
