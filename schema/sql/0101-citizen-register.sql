-- migration: expand
-- Component D: the register of citizens. Delegations are counted by triggers in the transaction that writes them; the events of component A
-- bring the outcomes of verifications.

-- expiry of the document that a verification read
alter table verification_job add column document_expires_on date;

-- The pieces of two and three characters of a code, without case (ASCII): an index on them finds codes by a part.
create function code_grams(code text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct substr(lower(code collate "C"), start, width)), '{}')
  from generate_series(2, 3) as width, generate_series(1, length(code) - width + 1) as start
$$;

create table registered_citizen (
  code text collate "C" primary key,
  verification text not null default 'unverified'
    check (verification in ('unverified', 'pending_review', 'verified', 'rejected', 'expired')),
  -- time of the verification that set it
  verified_at timestamptz(3),
  -- last day on which the document of a verification is valid
  expires_on date,
  registered_at timestamptz(3) not null default now()
);
create index registered_citizen_verification on registered_citizen (verification, code);
create index registered_citizen_to_expire on registered_citizen (expires_on) where verification = 'verified';
create index registered_citizen_folded on registered_citizen (lower(code));
create index registered_citizen_grams on registered_citizen using gin (code_grams(code));

-- The groups whose administrators see a citizen. `verification` repeats the citizen's, for pages of one group with one status.
create table registered_citizen_group (
  group_id text collate "C" not null,
  code text collate "C" not null,
  verification text not null,
  given integer not null,
  received integer not null,
  active_given integer not null,
  active_received integer not null,
  primary key (group_id, code)
);
create index registered_citizen_group_verification on registered_citizen_group (group_id, verification, code);
create index registered_citizen_group_code on registered_citizen_group (code);

create table registered_outcome (
  job_id text collate "C" primary key,
  code text collate "C" not null,
  outcome text not null,
  at timestamptz(3) not null,
  expires_on date
);
create index registered_outcome_code on registered_outcome (code, at, job_id);
create index registered_outcome_at on registered_outcome (at);

-- one row when the delegations and verifications from before this migration are in the register
create table citizen_register (
  is_only boolean primary key default true check (is_only),
  built_at timestamptz(3) not null default clock_timestamp()
);

-- Adds delegations (sign 1) to the counts of their citizens or takes them away (-1), in the order of the key: two transactions that count
-- the same citizens wait for each other and do not lock each other out.
create function count_citizens(groups text[], delegators text[], delegates text[], actives boolean[], signs integer[])
returns void language plpgsql as $$
begin
  insert into registered_citizen (code)
    select distinct side.code collate "C" as code
    from unnest(delegators, delegates, signs) as d (delegator, delegate, sign), lateral (values (d.delegator), (d.delegate)) as side (code)
    where sign > 0 order by code
    on conflict do nothing;
  insert into registered_citizen_group as kept (group_id, code, verification, given, received, active_given, active_received)
    select group_id, code, coalesce(verification, 'unverified'), given, received, active_given, active_received
    from (
      select d.group_id collate "C" as group_id, side.code collate "C" as code,
        sum(sign * side.given)::integer as given, sum(sign * side.received)::integer as received,
        coalesce(sum(sign * side.given) filter (where is_active), 0)::integer as active_given,
        coalesce(sum(sign * side.received) filter (where is_active), 0)::integer as active_received
      from unnest(groups, delegators, delegates, actives, signs) as d (group_id, delegator, delegate, is_active, sign),
        lateral (values (d.delegator, 1, 0), (d.delegate, 0, 1)) as side (code, given, received)
      group by 1, 2
    ) as change left join registered_citizen using (code)
    where (given, received, active_given, active_received) is distinct from (0, 0, 0, 0)
    order by code, group_id
    on conflict (group_id, code) do update set given = kept.given + excluded.given, received = kept.received + excluded.received,
      active_given = kept.active_given + excluded.active_given, active_received = kept.active_received + excluded.active_received;
  if -1 = any (signs) then
    delete from registered_citizen_group where code = any (delegators || delegates) and given <= 0 and received <= 0;
  end if;
end
$$;

create function register_citizens() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_citizens(array_agg(group_id), array_agg(delegator_code), array_agg(delegate_code), array_agg(status = 'active'), array_agg(1))
      from new_rows having count(*) > 0;
  elsif tg_op = 'DELETE' then
    perform count_citizens(array_agg(group_id), array_agg(delegator_code), array_agg(delegate_code), array_agg(status = 'active'), array_agg(-1))
      from old_rows having count(*) > 0;
  else
    perform count_citizens(array_agg(group_id), array_agg(delegator_code), array_agg(delegate_code), array_agg(status = 'active'), array_agg(sign))
      from (select *, 1 as sign from new_rows union all select *, -1 from old_rows) as changes having count(*) > 0;
  end if;
  return null;
end
$$;
create trigger register_inserted after insert on delegation
  referencing new table as new_rows for each statement execute function register_citizens();
create trigger register_updated after update on delegation
  referencing old table as old_rows new table as new_rows for each statement execute function register_citizens();
create trigger register_deleted after delete on delegation
  referencing old table as old_rows for each statement execute function register_citizens();
