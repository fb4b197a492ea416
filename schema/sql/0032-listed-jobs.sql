-- migration: expand, concurrently
-- Lists of all services' jobs by how they ended, newest first.
create index concurrently if not exists verification_job_outcome on verification_job (outcome, id) where outcome is not null;
