-- migration: expand
-- Identities of the expressions that are stored or could not be written. Their digest is unknown. The index had a stored one within
-- moments of its receipt.
insert into expression_identity (id, received_day, indexed_at)
select id, (received_at at time zone 'UTC')::date, case when withdrawn_at is null then received_at end
from expression where substr(id::text, 15, 1) = '5' order by id
on conflict do nothing;
insert into expression_identity (id, received_day)
select id, (at at time zone 'UTC')::date from expression_dead_letter where substr(id::text, 15, 1) = '5' order by id
on conflict do nothing;
