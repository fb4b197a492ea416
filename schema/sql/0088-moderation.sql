-- migration: expand
-- Component C: reports of readers, texts above the toxicity threshold, and expressions that are withheld: held before publication, or withdrawn and
-- restorable. A withheld expression has its id reserved as withdrawn in `expression`, so that no read finds it; its content is here.
create table moderation_case (
  -- of the expression
  id uuid primary key,
  state text not null default 'open' check (state in ('open', 'left', 'released', 'withdrawn', 'restored')),
  opened_at timestamptz not null default date_trunc('milliseconds', now()),
  -- above the threshold when the case was opened; null when readers only reported it
  toxicity real,
  reports integer not null default 0,
  -- the expression as the queue of expressions holds it; null while it is public
  content json,
  -- authors of a withheld expression, as in `expression`
  author bytea,
  unverified_author bytea,
  reason text,
  note text,
  issuer text,
  subject text,
  decided_at timestamptz,
  -- end of the time in which a decision can be undone; the case is deleted then
  erase_at timestamptz
);
create index moderation_case_open on moderation_case (opened_at, id) where state = 'open';
create index moderation_case_decided on moderation_case (decided_at, id) where state <> 'open';
create index moderation_case_erasure on moderation_case (erase_at) where erase_at is not null;
create index moderation_case_person on moderation_case (coalesce(author, unverified_author)) where content is not null;

create table expression_report (
  case_id uuid not null references moderation_case (id) on delete cascade,
  -- HMAC of the account or of the client network
  reporter bytea not null,
  reason text not null check (reason in ('insult', 'threat', 'hate', 'personal_data', 'spam', 'other')),
  note text,
  at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (case_id, reporter)
);
create index expression_report_reporter on expression_report (reporter);

-- The votes on a withdrawn expression, until it is restored or erased.
create table withheld_vote (
  case_id uuid not null references moderation_case (id) on delete cascade,
  voter bytea not null,
  value text not null,
  verified boolean not null,
  at timestamptz not null,
  primary key (case_id, voter)
);
create index withheld_vote_voter on withheld_vote (voter);
