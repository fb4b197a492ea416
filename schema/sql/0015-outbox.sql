-- Messages on their way to a worker of the platform: taken in once they are committed here, gone once the worker's work is.
create table outbox (
  position bigint generated always as identity primary key,
  queue text not null,
  kind text not null,
  -- not jsonb: a NUL in a text may stand in it
  content json not null,
  at timestamptz not null default clock_timestamp()
);
create index outbox_queue on outbox (queue, position);
-- vectors do not get smaller
alter table outbox alter column content set storage external;
-- it is always nearly empty: what is gone is to be swept up by number, not by share
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000);
