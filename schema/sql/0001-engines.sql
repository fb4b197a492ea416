-- Tables of the engines that every component shares.

-- What happened, by topic, without gaps: position is counted under pg_advisory_xact_lock(topic) at the end of the transaction that makes
-- the event, so whoever has read up to a position has seen everything before it.
create table event (
  topic text not null,
  position bigint not null,
  kind text not null,
  id text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (topic, position)
);
-- The last position of each topic: it must not go back when all rows of a topic are pruned.
create table event_topic (
  topic text primary key,
  position bigint not null
);
-- How far a named follower has come; rows above the lowest cursor of a topic are kept.
create table event_cursor (
  topic text not null,
  follower text not null,
  position bigint not null,
  primary key (topic, follower)
);

-- What a job must keep secret, sealed: AES-256-GCM under a data key of its own, which is wrapped by the key that key_id names.
-- Both sealed values are nonce (12 bytes), ciphertext, tag (16 bytes); job id and record name are authenticated with them.
create table vault_record (
  job_id text not null,
  record text not null,
  key_id text not null,
  wrapped_key bytea not null,
  sealed bytea not null,
  primary key (job_id, record)
);
-- Ciphertext does not compress.
alter table vault_record alter column sealed set storage external;

-- Short-lived values that processes share when there is no Redis; lost when the server crashes, as a cache may be.
create unlogged table key_value (
  key text primary key,
  value text not null,
  expires_at timestamptz not null
);
create index key_value_expired on key_value (expires_at);
