-- migration: expand
-- Votes and roll-ups get topics of their own, and the counts of votes are stored.

-- What the followers with a cursor need of an event besides its kind and id; null when all of them have passed it.
alter table event add column detail text;

-- Votes by expression. The triggers count every change of `vote`, also by processes of earlier releases. No vote is written while this runs.
create table vote_count (
  expression_id uuid primary key,
  agree integer not null default 0,
  disagree integer not null default 0,
  pass integer not null default 0,
  unverified_agree integer not null default 0,
  unverified_disagree integer not null default 0,
  unverified_pass integer not null default 0
) with (fillfactor = 80);

create function count_votes() returns trigger language plpgsql as $$
begin
  -- in the order of ids, so that concurrent writers wait instead of deadlocking
  if tg_op = 'INSERT' then
    insert into vote_count as c (expression_id, agree, disagree, pass, unverified_agree, unverified_disagree, unverified_pass)
    select expression_id, count(*) filter (where value = 'agree' and verified), count(*) filter (where value = 'disagree' and verified),
      count(*) filter (where value = 'pass' and verified), count(*) filter (where value = 'agree' and not verified),
      count(*) filter (where value = 'disagree' and not verified), count(*) filter (where value = 'pass' and not verified)
    from added group by expression_id order by expression_id
    on conflict (expression_id) do update set agree = c.agree + excluded.agree, disagree = c.disagree + excluded.disagree,
      pass = c.pass + excluded.pass, unverified_agree = c.unverified_agree + excluded.unverified_agree,
      unverified_disagree = c.unverified_disagree + excluded.unverified_disagree, unverified_pass = c.unverified_pass + excluded.unverified_pass;
  elsif tg_op = 'UPDATE' then
    insert into vote_count as c (expression_id, agree, disagree, pass, unverified_agree, unverified_disagree, unverified_pass)
    select expression_id, coalesce(sum(n) filter (where value = 'agree' and verified), 0),
      coalesce(sum(n) filter (where value = 'disagree' and verified), 0), coalesce(sum(n) filter (where value = 'pass' and verified), 0),
      coalesce(sum(n) filter (where value = 'agree' and not verified), 0),
      coalesce(sum(n) filter (where value = 'disagree' and not verified), 0), coalesce(sum(n) filter (where value = 'pass' and not verified), 0)
    from (
      select expression_id, value, verified, 1 as n from added union all select expression_id, value, verified, -1 from removed
    ) change group by expression_id order by expression_id
    on conflict (expression_id) do update set agree = c.agree + excluded.agree, disagree = c.disagree + excluded.disagree,
      pass = c.pass + excluded.pass, unverified_agree = c.unverified_agree + excluded.unverified_agree,
      unverified_disagree = c.unverified_disagree + excluded.unverified_disagree, unverified_pass = c.unverified_pass + excluded.unverified_pass;
  else
    insert into vote_count as c (expression_id, agree, disagree, pass, unverified_agree, unverified_disagree, unverified_pass)
    select expression_id, -count(*) filter (where value = 'agree' and verified), -count(*) filter (where value = 'disagree' and verified),
      -count(*) filter (where value = 'pass' and verified), -count(*) filter (where value = 'agree' and not verified),
      -count(*) filter (where value = 'disagree' and not verified), -count(*) filter (where value = 'pass' and not verified)
    from removed group by expression_id order by expression_id
    on conflict (expression_id) do update set agree = c.agree + excluded.agree, disagree = c.disagree + excluded.disagree,
      pass = c.pass + excluded.pass, unverified_agree = c.unverified_agree + excluded.unverified_agree,
      unverified_disagree = c.unverified_disagree + excluded.unverified_disagree, unverified_pass = c.unverified_pass + excluded.unverified_pass;
  end if;
  return null;
end
$$;
create trigger count_added_votes after insert on vote referencing new table as added for each statement execute function count_votes();
create trigger count_changed_votes after update on vote referencing new table as added old table as removed
  for each statement execute function count_votes();
create trigger count_removed_votes after delete on vote referencing old table as removed for each statement execute function count_votes();
insert into vote_count
select expression_id, count(*) filter (where value = 'agree' and verified), count(*) filter (where value = 'disagree' and verified),
  count(*) filter (where value = 'pass' and verified), count(*) filter (where value = 'agree' and not verified),
  count(*) filter (where value = 'disagree' and not verified), count(*) filter (where value = 'pass' and not verified)
from vote group by expression_id;

-- Both topics start far above every position so far, so that a client that resumes at one of an earlier release gets a report of missing events,
-- and no version of the figures is used twice. An empty database stays empty: a backup is restored into it.
insert into event_topic (topic, position)
select topic, last.position + 1000000
from unnest(array['votes', 'statistics']) topic
cross join (select max(position) as position from event_topic where topic in ('analytics', 'exploration')) last
where last.position is not null;
-- votes are retained until they are counted
insert into event_cursor (topic, follower, position) select topic, 'exploration', position from event_topic where topic = 'votes';
alter table roll_up add column votes_position bigint not null default 0;
update roll_up set votes_position = t.position from event_topic t where t.topic = 'votes';
