-- migration: expand
-- Messages of the outbox that no worker could handle, as they were sent, with why; put back into the outbox by hand.
create table outbox_dead_letter (
  position bigint generated always as identity primary key,
  queue text not null,
  kind text not null,
  -- not jsonb, as in the outbox
  content json not null,
  format smallint not null,
  reason text not null,
  at timestamptz not null default clock_timestamp()
);
