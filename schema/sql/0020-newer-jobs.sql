-- migration: expand, concurrently
-- nearly always empty: health asks whether jobs wait for processes of a newer release
create index concurrently if not exists verification_job_newer on verification_job (format, queued_at) where format > 1;
