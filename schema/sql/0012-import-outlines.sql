-- The end of an import reads how its nodes hang together; their texts only where they have to be written. Both are JSON.

drop table content_import_chunk;
create unlogged table content_import_chunk (
  import_id text not null references content_import on delete cascade,
  index integer not null,
  outline text not null,
  content text not null,
  primary key (import_id, index)
);
-- read once and deleted: compressing it takes longer than writing it
alter table content_import_chunk alter column outline set storage external, alter column content set storage external;
