-- Component A: callbacks, idempotency keys, and the keys that an operator makes while the platform runs.

-- What a caller's receiver is told about a finished job: one row a job, written in the transaction that writes its result.
create table verification_callback (
  job_id text primary key references verification_job (id) on delete cascade,
  owner text not null,
  -- origin of the address, so that a slow receiver does not hold up the others
  receiver text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'refused', 'failed', 'stopped')),
  -- tries of the present series, which a redelivery starts anew, and of all series: the number of the last try, and the fence of a delivery
  tries integer not null default 0,
  made integer not null default 0,
  next_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  check ((state = 'pending') = (next_at is not null))
);
create index verification_callback_due on verification_callback (next_at) where state = 'pending';
create index verification_callback_created on verification_callback (created_at, job_id);
create index verification_callback_owner on verification_callback (owner, created_at, job_id);

create table verification_callback_attempt (
  job_id text not null references verification_callback (job_id) on delete cascade,
  number integer not null,
  at timestamptz(3) not null,
  duration_ms integer not null,
  status_code integer,
  -- "<code>: <sentence>"; null for a status of 200 to 299
  reason text,
  primary key (job_id, number)
);

-- An Idempotency-Key and what it was used for. The fingerprint is an HMAC: nobody can try names against it.
create table verification_submission (
  owner text not null,
  key text not null,
  fingerprint text not null,
  batch_id text,
  job_ids text[] not null,
  created_at timestamptz not null default now(),
  primary key (owner, key)
);
create index verification_submission_created on verification_submission (created_at);
-- so that an erasure finds them
create index verification_submission_jobs on verification_submission using gin (job_ids);

-- Keys of services, beside those of VERIFICATION_API_KEYS.
create table service_key (
  id text primary key,
  name text not null,
  -- hex
  sha256 text not null unique,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  -- a rotated key is good until then, a revoked one has no time left
  ends_at timestamptz
);
create index service_key_name on service_key (name);

-- What callbacks of a service are signed with, sealed as vault_record is; two while it is rotated.
create table service_callback_secret (
  id text primary key,
  name text not null,
  key_id text not null,
  wrapped_key bytea not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  ends_at timestamptz
);
create index service_callback_secret_name on service_callback_secret (name);
