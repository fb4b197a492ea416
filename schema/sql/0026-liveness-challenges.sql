-- migration: expand
-- Component A: what a citizen was asked to do before a camera. Good for one job, and for sixty seconds by the clock of this database.
create table liveness_challenge (
  nonce text primary key,
  owner text not null,
  -- JSON-escaped, as in verification_job
  citizen_code text not null,
  steps text[] not null,
  issued_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  expires_at timestamptz(3) not null,
  -- the job that it was used for; deferred, because it is taken before the row of the job is written
  job_id text unique references verification_job (id) on delete cascade deferrable initially deferred,
  used_at timestamptz(3),
  check ((job_id is null) = (used_at is null))
);
create index liveness_challenge_unused on liveness_challenge (expires_at) where job_id is null;
create index liveness_challenge_citizen on liveness_challenge using hash (citizen_code);
