-- migration: expand
-- Component D: every change of a delegation from here on, and counts by group, domain and status. Triggers write both in the transaction
-- that changes the delegation.

-- When the history begins; no row where there were no delegations before it, so that it is complete.
create table delegation_history (
  is_only boolean primary key default true check (is_only),
  since timestamptz(3) not null default now()
);
insert into delegation_history (since) select now() where exists (select from delegation);

-- A delegation after a change.
create table delegation_change (
  id bigint generated always as identity primary key,
  delegation_id text not null,
  at timestamptz(3) not null default clock_timestamp(),
  -- the state of a delegation from before the history, stored at its first change
  is_earlier boolean not null default false,
  delegator_code text not null,
  delegate_code text not null,
  group_id text not null,
  domain text,
  scope text not null,
  status text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3),
  source text not null
);
create index delegation_change_delegation on delegation_change (delegation_id, id);
create index delegation_change_delegator on delegation_change (delegator_code);
create index delegation_change_delegate on delegation_change (delegate_code);

create function record_delegation_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into delegation_change (delegation_id, delegator_code, delegate_code, group_id, domain, scope, status, starts_at, ends_at, source)
      select id, delegator_code, delegate_code, group_id, domain, scope, status, starts_at, ends_at, source from new_rows order by id;
  elsif tg_op = 'DELETE' then
    delete from delegation_change where delegation_id in (select id from old_rows);
  else
    insert into delegation_change (delegation_id, at, is_earlier, delegator_code, delegate_code, group_id, domain, scope, status, starts_at, ends_at, source)
      select id, updated_at, true, delegator_code, delegate_code, group_id, domain, scope, status, starts_at, ends_at, source
      from old_rows where not exists (select from delegation_change where delegation_id = old_rows.id) order by id;
    insert into delegation_change (delegation_id, delegator_code, delegate_code, group_id, domain, scope, status, starts_at, ends_at, source)
      select n.id, n.delegator_code, n.delegate_code, n.group_id, n.domain, n.scope, n.status, n.starts_at, n.ends_at, n.source
      from new_rows as n left join old_rows as o using (id)
      where (n.delegator_code, n.delegate_code, n.group_id, n.domain, n.scope, n.status, n.starts_at, n.ends_at)
        is distinct from (o.delegator_code, o.delegate_code, o.group_id, o.domain, o.scope, o.status, o.starts_at, o.ends_at)
      order by n.id;
  end if;
  return null;
end
$$;
create trigger history_inserted after insert on delegation
  referencing new table as new_rows for each statement execute function record_delegation_changes();
create trigger history_updated after update on delegation
  referencing old table as old_rows new table as new_rows for each statement execute function record_delegation_changes();
create trigger history_deleted after delete on delegation
  referencing old table as old_rows for each statement execute function record_delegation_changes();

create table delegation_figure (
  group_id text collate "C" not null,
  -- empty: valid in all domains
  domain text collate "C" not null,
  status text not null,
  count bigint not null,
  primary key (group_id, domain, status)
);

-- In the order of the key, as count_delegations.
create function count_delegation_figures() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into delegation_figure as kept (group_id, domain, status, count)
      select group_id collate "C", coalesce(domain, '') collate "C", status, count(*) from new_rows group by 1, 2, 3 order by 1, 2, 3
      on conflict (group_id, domain, status) do update set count = kept.count + excluded.count;
  elsif tg_op = 'DELETE' then
    insert into delegation_figure as kept (group_id, domain, status, count)
      select group_id collate "C", coalesce(domain, '') collate "C", status, -count(*) from old_rows group by 1, 2, 3 order by 1, 2, 3
      on conflict (group_id, domain, status) do update set count = kept.count + excluded.count;
  else
    insert into delegation_figure as kept (group_id, domain, status, count)
      select group_id collate "C", coalesce(domain, '') collate "C", status, sum(change)
      from (select group_id, domain, status, 1 as change from new_rows union all select group_id, domain, status, -1 from old_rows) as changes
      group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
      on conflict (group_id, domain, status) do update set count = kept.count + excluded.count;
  end if;
  return null;
end
$$;
create trigger figures_inserted after insert on delegation
  referencing new table as new_rows for each statement execute function count_delegation_figures();
create trigger figures_updated after update on delegation
  referencing old table as old_rows new table as new_rows for each statement execute function count_delegation_figures();
create trigger figures_deleted after delete on delegation
  referencing old table as old_rows for each statement execute function count_delegation_figures();
-- the triggers hold off writers until the commit
insert into delegation_figure (group_id, domain, status, count)
  select group_id collate "C", coalesce(domain, '') collate "C", status, count(*) from delegation group by 1, 2, 3;
