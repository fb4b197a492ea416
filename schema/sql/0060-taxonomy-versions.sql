-- migration: expand
-- Versions of the taxonomy. The tables domain and taxonomy_version are written in one transaction, which excludes other publications.
alter table domain
  add column descriptions jsonb not null default '{}',
  -- the domain that replaces a removed one
  add column successor_id text references domain (id);

create table taxonomy_version (
  number integer primary key,
  -- subject identifier of the administrator, or the operator of a command
  author text not null,
  note text not null,
  at timestamptz(3) not null default now(),
  -- counts of added, updated, removed and unchanged domains
  change jsonb not null,
  -- {domains, successors}: what a roll back publishes again
  content jsonb not null
);

-- The taxonomy of an earlier release is its first version.
insert into taxonomy_version (number, author, note, change, content)
select 1, 'civigraph', 'Taxonomy of an earlier release', jsonb_build_object('added', count(*), 'updated', 0, 'removed', 0, 'unchanged', 0),
  jsonb_build_object(
    'domains', jsonb_agg(jsonb_build_object('id', id, 'parentId', parent_id, 'slug', slug, 'position', position, 'labels', labels,
      'descriptions', descriptions, 'examples', examples, 'words', words) order by parent_id nulls first, position, id),
    'successors', coalesce((select jsonb_object_agg(id, null::text) from domain where removed_at is not null), '{}'))
from domain where removed_at is null having count(*) > 0;

-- What answers need of it, at the version of the roll-ups.
alter table roll_up
  add column taxonomy_number integer not null default 0,
  add column successors jsonb not null default '{}';
update roll_up set taxonomy_number = coalesce((select max(number) from taxonomy_version), 0);
