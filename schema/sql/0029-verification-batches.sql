-- migration: expand, concurrently
-- The jobs of a batch, in the order in which they were submitted.
create index concurrently if not exists verification_job_batch on verification_job (batch_id, id) where batch_id is not null;
