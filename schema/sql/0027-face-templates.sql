-- migration: expand
-- Component A, with DEDUPLICATION=on: faces of verified citizens, sealed, by which the same person under another code is found.
create table verification_face_template (
  id bigint generated always as identity primary key,
  -- a tenant: faces are searched among those of one key alone
  owner text not null,
  -- JSON-escaped, as in verification_job
  citizen_code text not null,
  -- which network described the face: faces are compared within one
  model text not null,
  key_id text not null,
  wrapped_key bytea not null,
  sealed bytea not null,
  -- a job that a person is still to decide: until then nobody is compared with it
  awaits_job_id text references verification_job (id) on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index verification_face_template_citizen on verification_face_template using hash (citizen_code);
create index verification_face_template_awaits on verification_face_template (awaits_job_id) where awaits_job_id is not null;
