-- migration: expand
-- Component A: a reviewer's decision is held for a while, so that it can be undone; a reviewer may request better photographs; and outcome and reasons
-- remain for a time after a service has acknowledged the result. The wider checks are not valid: existing rows need no reading.
alter table verification_review drop constraint verification_review_state_check;
alter table verification_review add constraint verification_review_state_check check (state in ('waiting', 'held', 'decided', 'lapsed')) not valid;
alter table verification_review
  -- end of the hold, by the clock of this database
  add column held_until timestamptz,
  -- the first claim, for the history of the job
  add column taken_at timestamptz,
  add column taken_by text;

alter table verification_review_decision drop constraint verification_review_decision_decision_check;
alter table verification_review_decision
  add constraint verification_review_decision_decision_check check (decision in ('verified', 'rejected', 'better_photographs')) not valid;

alter table verification_job
  -- findings against the verification and, for an error, its cause: no image, score or name
  add column reasons text[],
  add column failure_reason text,
  -- when the service first received the current result
  add column fetched_at timestamptz;
