-- migration: expand
-- How what is in a row is written. Whoever takes rows leaves those of a format that it does not know to processes of a newer release.
alter table outbox add column format smallint not null default 1;
alter table event add column format smallint not null default 1;
alter table verification_job add column format smallint not null default 1;
