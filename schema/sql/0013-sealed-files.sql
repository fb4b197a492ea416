-- Where VAULT_DIR is set, what was sealed is a file there; its key stays here, so that without this row nobody can read it.
alter table vault_record alter column sealed drop not null, add column file text, add check ((sealed is null) <> (file is null));
create unique index vault_record_file on vault_record (file) where file is not null;
