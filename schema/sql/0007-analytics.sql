-- The analytics store: taxonomy, what citizens say, how others vote on it. Each change is an event of topic "analytics" in the same
-- transaction, which is the change log that roll-ups, the search index and subscribers follow.

create table domain (
  id text primary key,
  -- null for a domain, its domain for a sub-domain
  parent_id text references domain (id),
  slug text not null,
  position integer not null,
  labels jsonb not null,
  -- what a citizen might say, by language; and terms of the field
  examples jsonb not null,
  words jsonb not null,
  -- sha256 of all that: says whether anything has changed
  revision text not null,
  -- expressions go on referring to a domain that was removed
  removed_at timestamptz(3),
  updated_at timestamptz(3) not null default now()
);

create table expression (
  id uuid primary key,
  source text not null,
  external_id text,
  -- redacted; the text as it came is never stored
  text text not null,
  lang text not null,
  -- HMAC of author_ref
  author bytea,
  domain text,
  sub_domain text,
  sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
  sentiment_score real,
  lat double precision check (lat between -90 and 90),
  lon double precision check (lon between -180 and 180),
  created_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  -- what every step of the pipeline found, as the REST answer says it
  enrichment jsonb not null,
  -- 768 half-precision numbers, little endian; with it a lost search index is made again without the encoder
  embedding bytea,
  embedding_model text,
  -- sha256 of the row: one that is delivered twice changes nothing
  revision text not null,
  withdrawn_at timestamptz(3),
  check ((lat is null) = (lon is null))
);
-- Numbers of half precision do not compress.
alter table expression alter column embedding set storage external;
create index expression_created on expression (created_at, id);
create index expression_domain on expression (domain, created_at) where withdrawn_at is null;
create index expression_place on expression (lat, lon) where lat is not null and withdrawn_at is null;

create table vote (
  expression_id uuid not null references expression (id) on delete cascade,
  -- HMAC of who votes
  voter bytea not null,
  value text not null check (value in ('agree', 'disagree', 'pass')),
  at timestamptz(3) not null default now(),
  primary key (expression_id, voter)
);

-- What the batch writer could not write, as it was queued, with why; given back to the queue by hand.
create table expression_dead_letter (
  id uuid primary key,
  content jsonb not null,
  reason text not null,
  at timestamptz(3) not null default now()
);
