-- migration: expand, concurrently
-- Finds the holds that end next, and the decisions of a person.
create index concurrently if not exists verification_review_held on verification_review (held_until) where state = 'held';
create index concurrently if not exists verification_review_decision_person on verification_review_decision (issuer, subject, decided_at);
