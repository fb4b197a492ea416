-- migration: expand
-- What is applied is recorded in schema_migration. Processes of 1.0 look into this table and refuse every row that they do not know: what they
-- knew stays here for as long as they may run.
create table if not exists migration (
  number integer primary key,
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
delete from migration where number > 13;
insert into migration (number, name, sha256) select number, name, sha256 from schema_migration where number <= 13 on conflict do nothing;
