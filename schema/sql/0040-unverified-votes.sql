-- migration: expand
-- Votes are counted in two classes: verified (a signed-in user, or a service for a voter it names) and unverified (a browser with a pass).

-- Votes cast before this migration cannot be told apart: a voter is an HMAC. They count as unverified until their voter votes again.
alter table vote add column verified boolean not null default false;

-- The roll-ups have counted each of those as what is verified from now on: true is what is counted, until the rebuild below.
alter table roll_up_vote add column verified boolean not null default true;
alter table roll_up_expression
  add column unverified_agree integer not null default 0,
  add column unverified_disagree integer not null default 0,
  add column unverified_pass integer not null default 0;
-- packed as votes are; null: no unverified votes
alter table roll_up_cell add column unverified_votes text;
-- what the roll-ups count; a worker that counts otherwise rebuilds them
alter table roll_up add column format smallint not null default 1;
-- a rebuild that has begun has tables without these columns: it fails and is started again
select forget_roll_up_rebuild();

-- Voters that an address has created, so that it can create only a few: a row for each expression, and one for all of them.
create table public_voter_count (
  -- UTC; rows of earlier days are removed as votes come in
  day date not null,
  -- HMAC of the address (of IPv6 its /64) and the day
  address bytea not null,
  -- null: all expressions
  expression_id uuid,
  voters integer not null,
  unique nulls not distinct (day, address, expression_id)
);
create index public_voter_count_expression on public_voter_count (expression_id) where expression_id is not null;
