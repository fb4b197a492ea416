-- Component D: who may act for whom.

create table delegation (
  id text primary key,
  delegator_code text not null,
  delegate_code text not null,
  group_id text not null,
  domain text,
  scope text not null,
  status text not null check (status in ('pending', 'active', 'revoked', 'expired')),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- when anything here changed last, also by the passing of time
  updated_at timestamptz(3) not null,
  -- the time of the newest word about it: an older message that comes late changes nothing
  revised_at timestamptz(3) not null,
  source text not null default 'import'
);
-- Lists are read newest first, by one of these at a time; the id makes the order total.
create index delegation_created on delegation (created_at, id);
create index delegation_group on delegation (group_id, created_at, id);
create index delegation_group_status on delegation (group_id, status, created_at, id);
create index delegation_status on delegation (status, created_at, id);
create index delegation_domain on delegation (domain, created_at, id);
create index delegation_domain_status on delegation (domain, status, group_id);
create index delegation_delegator on delegation (delegator_code, created_at, id);
create index delegation_delegate on delegation (delegate_code, created_at, id);
-- What the passing of time will change.
create index delegation_to_start on delegation (starts_at) where status = 'pending';
create index delegation_to_end on delegation (ends_at) where status in ('pending', 'active');

-- How many there are, by group and status: kept by the triggers below, in the transaction that writes.
create table delegation_count (
  group_id text not null,
  status text not null,
  count bigint not null,
  primary key (group_id, status)
);

create function count_delegations() returns trigger language plpgsql as $$
begin
  -- In the order of the key: two transactions that count the same groups wait for each other and do not lock each other out.
  if tg_op = 'INSERT' then
    insert into delegation_count as kept (group_id, status, count)
      select group_id, status, count(*) from new_rows group by group_id, status order by group_id, status
      on conflict (group_id, status) do update set count = kept.count + excluded.count;
  elsif tg_op = 'DELETE' then
    insert into delegation_count as kept (group_id, status, count)
      select group_id, status, -count(*) from old_rows group by group_id, status order by group_id, status
      on conflict (group_id, status) do update set count = kept.count + excluded.count;
  else
    insert into delegation_count as kept (group_id, status, count)
      select group_id, status, sum(change)
      from (select group_id, status, 1 as change from new_rows union all select group_id, status, -1 from old_rows) as changes
      group by group_id, status having sum(change) <> 0 order by group_id, status
      on conflict (group_id, status) do update set count = kept.count + excluded.count;
  end if;
  return null;
end
$$;
create trigger count_inserted after insert on delegation
  referencing new table as new_rows for each statement execute function count_delegations();
create trigger count_updated after update on delegation
  referencing old table as old_rows new table as new_rows for each statement execute function count_delegations();
create trigger count_deleted after delete on delegation
  referencing old table as old_rows for each statement execute function count_delegations();
