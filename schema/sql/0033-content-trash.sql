-- migration: expand
-- Subtrees of content that were deleted, until they are restored, purged or too old. An id sorts by when.
create table content_trash (
  tenant text collate "C" not null,
  id text collate "C" not null,
  -- what lists tell of it, as JSON
  about text not null,
  primary key (tenant, id)
);
create index content_trash_age on content_trash (id);
-- the nodes, as JSON, in pre-order
create table content_trash_chunk (
  tenant text collate "C" not null,
  id text collate "C" not null,
  index integer not null,
  nodes text not null,
  primary key (tenant, id, index),
  foreign key (tenant, id) references content_trash on delete cascade
);
