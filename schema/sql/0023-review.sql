-- migration: expand
-- Component A: jobs that wait for a person to decide. Their images stay sealed in vault_record meanwhile.
create table verification_review (
  job_id text primary key references verification_job (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'decided', 'lapsed')),
  -- why the machine did not decide; nothing once it is decided
  reasons text[] not null,
  waiting_since timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  -- who looks at it, and until when by the clock of this database
  claim_issuer text,
  claim_subject text,
  claim_until timestamptz,
  -- a decided result may be acknowledged only after it was handed out: an acknowledgement of the one before may be on its way
  handed_out boolean not null default false,
  check ((claim_issuer is null) = (claim_until is null) and (claim_subject is null) = (claim_until is null))
);
create index verification_review_waiting on verification_review (waiting_since, job_id) where state = 'waiting';

-- Who decided what: one row a person, so that two alike are of two people. Their notes are sealed in vault_record.
create table verification_review_decision (
  job_id text not null references verification_review (job_id) on delete cascade,
  number integer not null,
  issuer text not null,
  subject text not null,
  decision text not null check (decision in ('verified', 'rejected')),
  reason text not null,
  decided_at timestamptz(3) not null default clock_timestamp(),
  primary key (job_id, number),
  unique (job_id, issuer, subject)
);

-- What the machine measured and people decided, for figures and thresholds: numbers alone. The job is named as long as there is one, so that
-- the erasure of its citizen takes this, too.
create table verification_review_case (
  id bigint generated always as identity primary key,
  job_id text references verification_job (id) on delete set null,
  decided_on date not null,
  decision text not null check (decision in ('verified', 'rejected')),
  reason text not null,
  -- on which side of its line the likeness of the faces lay; null where no faces were compared
  leaning text check (leaning in ('verified', 'rejected')),
  face_model text,
  face_distance double precision,
  scores jsonb not null
);
create index verification_review_case_job on verification_review_case (job_id) where job_id is not null;
create index verification_review_case_day on verification_review_case (decided_on);

-- One callback a result: a decided job has a second one.
alter table verification_callback add column delivery integer not null default 1;
