-- migration: expand
-- Erasures of citizens over all components. The code and the references are encrypted, and removed when the erasure is complete.
create table citizen_erasure (
  id uuid primary key,
  -- HMAC of the code under PSEUDONYM_KEY, as in the audit trail
  pseudonym text not null,
  -- code and references, encrypted under a key derived from VAULT_KEY; null when the erasure is complete
  sealed bytea,
  wrapped_key bytea,
  key_id text,
  issuer text,
  subject text,
  address text,
  request_id text not null,
  requested_at timestamptz(3) not null default clock_timestamp(),
  -- time of the last progress: an interrupted erasure is continued by any process
  touched_at timestamptz(3) not null default clock_timestamp(),
  completed_at timestamptz(3)
);
create unique index citizen_erasure_running on citizen_erasure (pseudonym) where completed_at is null;
create index citizen_erasure_pseudonym on citizen_erasure (pseudonym, requested_at);

-- What an erasure removed from each component, written in the transactions that removed it, and what remains.
create table citizen_erasure_part (
  erasure_id uuid not null references citizen_erasure (id) on delete cascade,
  component text not null,
  -- {counts: {kind: count}, nodes: [[type, id]]}
  erased jsonb not null,
  -- [{kind, count, ids}]; null until the component is complete
  remaining jsonb,
  erased_at timestamptz(3),
  primary key (erasure_id, component)
);

-- Citizens whose delegations were erased: an import does not store delegations of them again.
create table erased_citizen (
  pseudonym text primary key,
  erased_at timestamptz(3) not null default now()
);
