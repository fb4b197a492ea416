-- Component E: one tree of content per tenant, in versions.

-- the version that readers see; a row lock on it is the turn of a writer
create table content_tree (
  tenant text collate "C" primary key,
  version integer not null,
  published_at timestamptz(3) not null default now()
);

create table content_version (
  tenant text collate "C" not null,
  version integer not null,
  published_at timestamptz(3) not null default now(),
  primary key (tenant, version)
);

-- A reader of version v takes for each key the newest row that is not newer than v; a deleted one says that there is no node.
create table content_node (
  tenant text collate "C" not null,
  -- fractional, in pre-order: a subtree is one range of keys at any depth
  order_key text collate "C" not null,
  version integer not null,
  deleted boolean not null default false,
  id text collate "C",
  external_id text collate "C",
  parent_id text collate "C",
  position integer,
  depth integer,
  children_count integer,
  content_hash text,
  title text,
  slug text,
  summary text,
  body text,
  locale text,
  -- JSON, escaped: PostgreSQL's own types refuse what JSON may hold (U+0000, lone surrogates)
  media text,
  metadata text,
  created_at timestamptz(3),
  updated_at timestamptz(3)
);
-- the newest version of a key first, as readers take it
create unique index content_node_key on content_node (tenant, order_key, version desc);
create index content_node_id on content_node (tenant, id);
create index content_node_external_id on content_node (tenant, external_id) where external_id is not null;
create index content_node_parent on content_node (tenant, parent_id, order_key);
create index content_node_depth on content_node (tenant, depth, order_key);
-- what a purge may look at
create index content_node_version on content_node (tenant, version);

-- Imports under way; not logged: one that a crash of the server ends is begun again by its sender.
create unlogged table content_import (
  id text primary key,
  about text not null,
  begun_at timestamptz(3) not null default now()
);
create unlogged table content_import_chunk (
  import_id text not null references content_import on delete cascade,
  index integer not null,
  bytes bytea not null,
  primary key (import_id, index)
);
