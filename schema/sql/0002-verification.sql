-- Component A. PostgreSQL is the truth about jobs; the queue only says when to look.
-- Strings that callers choose are kept JSON-escaped: JSON allows U+0000 and lone surrogates, PostgreSQL's text does not.
create table verification_job (
  id text primary key,
  sequence bigint generated always as identity,
  owner text not null,
  batch_id text,
  citizen_code text not null,
  document_type text not null,
  country_code text not null,
  priority text not null check (priority in ('normal', 'high')),
  callback_url text,
  start_class integer not null,
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'error')),
  outcome text check (outcome in ('verified', 'pending_review', 'rejected', 'error')),
  attempt integer not null default 0,
  given_back integer not null default 0,
  lease_until timestamptz,
  worker_id text,
  queued_at timestamptz not null default now(),
  enqueued_at timestamptz,
  first_started_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  acknowledged_at timestamptz
);
create index verification_job_waiting on verification_job (start_class, sequence) where status = 'queued';
create index verification_job_not_enqueued on verification_job (queued_at) where status = 'queued' and enqueued_at is null;
create index verification_job_leased on verification_job (lease_until) where status = 'processing';
create index verification_job_ready on verification_job (completed_at, id) where completed_at is not null and acknowledged_at is null;
create index verification_job_ready_by_owner on verification_job (owner, completed_at, id) where completed_at is not null and acknowledged_at is null;
create index verification_job_acknowledged on verification_job (acknowledged_at) where acknowledged_at is not null;
-- by hash: a code may be longer than a b-tree takes
create index verification_job_citizen on verification_job using hash (citizen_code);

-- One row per worker process: alive when seen within 15 s; mean_job_ms is its moving average.
create table verification_worker (
  id text primary key,
  seen_at timestamptz not null default now(),
  concurrency integer not null,
  mean_job_ms real
);
