-- migration: expand
-- Component A: what the chip of a citizen's document was asked to sign. Good for one job, and for ten minutes by the clock of this database.
create table chip_challenge (
  nonce text primary key,
  owner text not null,
  -- JSON-escaped, as in verification_job
  citizen_code text not null,
  -- RND.IFD of ICAO Doc 9303-11
  bytes bytea not null check (octet_length(bytes) = 8),
  issued_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  expires_at timestamptz(3) not null,
  -- the job that it was used for; deferred, because it is taken before the row of the job is written
  job_id text unique references verification_job (id) on delete cascade deferrable initially deferred
);
create index chip_challenge_unused on chip_challenge (expires_at) where job_id is null;
create index chip_challenge_citizen on chip_challenge using hash (citizen_code);
