-- migration: expand
-- The draft of the next version of the taxonomy; administrators edit it together.
create table taxonomy_draft (
  is_only boolean primary key default true check (is_only),
  -- the version that it changes
  base integer not null,
  -- increases with each edit, also after a draft was published or discarded
  revision integer not null,
  -- {domains, successors}; null: no draft
  content jsonb,
  -- by domain: the revision of its last edit and the editor, by which conflicts are found
  edits jsonb not null default '{}',
  changed_by text not null,
  changed_at timestamptz(3) not null default now()
);

-- Work on stored expressions: previews of drafts and re-classifications. One process at a time does the oldest one of a kind.
create table taxonomy_job (
  id uuid primary key,
  kind text not null check (kind in ('preview', 'outdated', 'reclassify')),
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  author text not null,
  -- preview: the revision of the draft; otherwise the published version
  version integer not null,
  -- reclassify: conditions on expressions
  filter jsonb not null default '{}',
  -- expressions per second
  rate integer not null,
  total integer,
  examined integer not null default 0,
  changed integer not null default 0,
  -- corrections by people, which stay
  kept integer not null default 0,
  -- the last expression that was examined
  after_id uuid,
  -- preview: its result; failed: the reason
  result jsonb,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index taxonomy_job_created on taxonomy_job (created_at, id);
create index taxonomy_job_open on taxonomy_job (kind, created_at) where finished_at is null;

-- A correction by a person is marked in the expression itself. Earlier ones are known from the audit trail.
update expression
set enrichment = jsonb_set(enrichment, '{classification,correctedAt}', to_jsonb(to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
from (
  select target, max(at) as at from audit_record
  where action = 'expression.correct' and outcome = 'done'
    and (details #> '{before,domain}', details #> '{before,subDomain}') is distinct from (details #> '{after,domain}', details #> '{after,subDomain}')
  group by target
) a
where expression.id::text = a.target and expression.withdrawn_at is null and jsonb_typeof(enrichment -> 'classification') = 'object';
