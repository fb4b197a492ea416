-- migration: expand
-- Certificates with which countries sign travel documents, as an operator has imported them. They are public and name nobody.

create table country_certificate (
  -- SHA-256 of the certificate, hex
  fingerprint text primary key,
  country text not null,
  der bytea not null,
  valid_until timestamptz not null,
  imported_at timestamptz not null default now()
);
create index country_certificate_country on country_certificate (country);

-- the newest list of each key of an issuer
create table country_revocation_list (
  issuer text primary key,
  country text not null,
  der bytea not null,
  issued_at timestamptz not null,
  imported_at timestamptz not null default now()
);
create index country_revocation_list_country on country_revocation_list (country);
