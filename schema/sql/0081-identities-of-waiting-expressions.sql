-- migration: expand
-- Identities of the expressions that wait in the outbox. Read as text: PostgreSQL reads no member of JSON that contains U+0000. A quote inside
-- a text is escaped, so the pattern matches nothing that a citizen wrote.
insert into expression_identity (id, received_day, outbox_position)
select distinct on (found.id) found.id, (o.at at time zone 'UTC')::date, o.position
from outbox o, lateral (
  select (regexp_matches(o.content::text, '"document":\{"id":"([0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})"', 'g'))[1]::uuid as id
) as found
where o.queue = 'expressions'
order by found.id, o.position
on conflict do nothing;
