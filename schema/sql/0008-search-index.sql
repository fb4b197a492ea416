-- What the search index is compared with the analytics store by.

-- Tells one version of an expression from another: 24 bits of md5("<id>:<revision of the enrichment>"). Sums over ranges of ids are compared.
alter table expression add column fingerprint integer not null generated always as
  (('x' || substr(md5(id::text || ':' || coalesce(enrichment ->> 'revision', '0')), 1, 6))::bit(24)::integer) stored;
create index expression_fingerprint on expression (id) include (fingerprint) where withdrawn_at is null;

-- How far each index was from the store when it was last compared, for whoever tells the health of a component.
create table search_index_drift (
  index_name text primary key,
  -- expressions of the store that were looked at
  compared bigint not null,
  -- what the index lacked, had in another version, had although the store has not
  missing bigint not null,
  stale bigint not null,
  extra bigint not null,
  at timestamptz(3) not null default now()
);
