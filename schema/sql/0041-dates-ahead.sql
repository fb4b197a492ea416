-- migration: expand
-- Earlier releases accepted expressions dated years ahead, which then head every list. They get the moment at which they were received.
-- The search index and the roll-ups follow the events; the higher revision replaces the version that the index has.
with ahead as (
  update expression
  set created_at = moment.at,
    enrichment = enrichment || jsonb_build_object(
      'createdAt', to_char(moment.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'revision', coalesce((enrichment ->> 'revision')::bigint, 0) + 1)
  from (select e.id, least(e.received_at, now())::timestamptz(3) as at from expression e where e.created_at > now() + interval '5 minutes') as moment
  where expression.id = moment.id
  returning expression.id, expression.withdrawn_at is null as is_shown
), shown as (
  select id, row_number() over (order by id) as place from ahead where is_shown
), counter as (
  update event_topic set position = position + (select count(*) from shown) where topic = 'analytics' returning position
)
insert into event (topic, position, kind, id)
select 'analytics', counter.position - (select count(*) from shown) + shown.place, 'expression_updated', shown.id from counter, shown;
