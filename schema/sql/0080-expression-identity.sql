-- migration: expand
-- The ids of expressions that can be sent again (UUID version 5), so that one narrow look-up finds a repeat. A row is written in the transaction
-- that accepts the expression. The triggers add the expressions that imports and earlier releases write, and follow withdrawals.
create table expression_identity (
  id uuid primary key,
  -- HMAC under EXPRESSION_KEY of the text before redaction; null without an external id, when unknown, and after a withdrawal
  digest bytea,
  -- how the digest was computed; 0: unknown
  digest_version smallint not null default 0,
  -- UTC
  received_day date not null,
  -- the message that contains the expression until it is written
  outbox_position bigint,
  -- when the search index was last given the expression
  indexed_at timestamptz(3)
);

-- with the rights of the owner: earlier releases write expressions before the new table is granted to them
create function identify_expressions() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into expression_identity (id, received_day)
    select id, (received_at at time zone 'UTC')::date from new_rows where substr(id::text, 15, 1) = '5' order by id
    on conflict do nothing;
  return null;
end
$$;
create function forget_withdrawn_identity() returns trigger language plpgsql security definer set search_path from current as $$
begin
  update expression_identity set digest = null, digest_version = 0, received_day = (now() at time zone 'UTC')::date, outbox_position = null, indexed_at = null
    where id = new.id;
  return null;
end
$$;
create trigger expression_identified after insert on expression
  referencing new table as new_rows for each statement execute function identify_expressions();
create trigger expression_withdrawn after update of withdrawn_at on expression
  for each row when (new.withdrawn_at is not null) execute function forget_withdrawn_identity();
