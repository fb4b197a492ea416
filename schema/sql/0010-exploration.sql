-- The roll-ups: what component B counts, kept by its worker as it follows the change log. Everything an answer needs is in these tables,
-- so that an answer read in one snapshot is of one moment, however far the analytics store has gone on.

create table roll_up (
  is_only boolean primary key default true check (is_only),
  -- counts how often everything was counted anew
  generation integer not null,
  -- of the change log: all up to here is counted
  position bigint not null,
  -- the position at which an answer last changed
  version bigint not null,
  -- the moment of that version
  changed_at timestamptz(3) not null,
  -- days are days there
  timezone text not null,
  -- domains and sub-domains as they were then: [{id, parentId, slug, position, labels}], parents first
  taxonomy jsonb not null
);

-- Whatever can be filtered by; expressions and cells name it by its number.
create table roll_up_key (
  id integer primary key,
  domain text,
  sub_domain text,
  sentiment text,
  lang text not null,
  unique nulls not distinct (domain, sub_domain, sentiment, lang)
);

-- An expression as it is counted now.
create table roll_up_expression (
  id uuid primary key,
  key integer not null,
  -- 20261121
  day integer not null,
  created_at timestamptz(3) not null,
  lat double precision,
  lon double precision,
  -- bits of its column and row in the Mercator square, 26 each, interleaved: a cell of any zoom is a range
  place bigint,
  author bytea,
  agree integer not null,
  disagree integer not null,
  pass integer not null
);
create index roll_up_expression_place on roll_up_expression (place) where place is not null;
create index roll_up_expression_key on roll_up_expression (key, place) where place is not null;

-- Counts of a cell in a stretch of time.
create table roll_up_cell (
  -- 0 to 9: a tile of that zoom has 8 x 8 cells; -1: all there is; -2: what has no position
  zoom smallint not null,
  -- 0: ever; 202611: a month; 20261121: a day
  bucket integer not null,
  y integer not null,
  x integer not null,
  -- key and count, packed
  counts text not null,
  -- key, agree, disagree, pass, packed; null: no votes
  votes text,
  -- sums, in millionths of a degree
  lon bigint not null,
  lat bigint not null,
  primary key (zoom, bucket, y, x)
);
-- The western and eastern edges of an area are columns of cells.
create index roll_up_cell_column on roll_up_cell (zoom, bucket, x, y) where zoom between 0 and 6;

-- A vote as it is counted now.
create table roll_up_vote (
  expression_id uuid not null,
  voter bytea not null,
  value text not null,
  primary key (expression_id, voter)
);

-- Who took part, by pseudonym: authors, and voters.
create table participant (
  -- '' for all
  domain text not null,
  hmac bytea not null,
  uses integer not null,
  primary key (domain, hmac)
);
create table participant_count (
  domain text primary key,
  count bigint not null
);
