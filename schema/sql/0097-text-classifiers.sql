-- migration: expand
-- Trained classifiers of the taxonomy, which one process trains and the others load.
create table text_classifier (
  -- sha256 of the training texts and code
  name text primary key,
  purpose text not null constraint text_classifier_purpose_check check (purpose in ('published', 'draft')),
  content bytea not null,
  used_at timestamptz not null default now()
);
-- The weights do not compress.
alter table text_classifier alter column content set storage external;
