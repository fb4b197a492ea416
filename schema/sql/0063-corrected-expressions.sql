-- migration: expand, concurrently
-- Finds the expressions that a person has corrected.
create index concurrently if not exists expression_corrected on expression ((enrichment #>> '{classification,correctedAt}'), id)
  where enrichment #>> '{classification,correctedAt}' is not null and withdrawn_at is null;
