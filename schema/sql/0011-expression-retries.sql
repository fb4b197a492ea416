-- Expressions in which a step of the pipeline failed and left nothing: the worker of classification tries again, later and later, until
-- nothing is missing or it becomes a dead letter.
create table expression_retry (
  id uuid primary key,
  -- what the sender had said that the steps need and the expression does not keep; gone with the row
  given jsonb not null,
  -- how often it was tried
  attempts integer not null default 0,
  next_at timestamptz(3) not null,
  at timestamptz(3) not null default now()
);
create index expression_retry_next on expression_retry (next_at);
