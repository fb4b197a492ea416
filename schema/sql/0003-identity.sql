-- The embedded identity provider: accounts of administrators, its signing keys, what it has issued. And the audit trail of every component.

create table identity_account (
  id text primary key,
  -- in lower case
  email text not null unique,
  -- scrypt$<log2 N>$<r>$<p>$<salt>$<hash>, both in base64url
  password_hash text not null,
  given_name text,
  family_name text,
  locale text,
  roles text[] not null default '{}',
  groups text[] not null default '{}',
  tenant text,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A key is published as soon as it is here, signs from active_from until a newer one does, and is published until expires_at.
create table identity_key (
  kid text primary key,
  public_key jsonb not null,
  -- the private key as a JWE (RFC 7516) under a key derived from VAULT_KEY
  sealed_key text not null,
  active_from timestamptz not null,
  expires_at timestamptz not null
);

-- Refresh tokens and grants. The id is the SHA-256 of the token: who reads this table cannot use it.
create table identity_token (
  model text not null,
  id text not null,
  grant_id text,
  payload jsonb not null,
  consumed_at timestamptz,
  expires_at timestamptz,
  primary key (model, id)
);
create index identity_token_grant on identity_token (grant_id);
create index identity_token_expired on identity_token (expires_at);

create table audit_record (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- what was done: login, logout, delegations.read, …
  action text not null,
  outcome text not null,
  -- issuer and subject of the person, name of the key; null where nobody is known
  issuer text,
  subject text,
  service text,
  -- what it was done to: an id, or a pseudonym
  target text,
  address text,
  request_id text not null,
  details jsonb not null default '{}'
);
create index audit_record_at on audit_record (at);
create index audit_record_subject on audit_record (subject, at);
