-- migration: expand
-- Vectors of the taxonomy's phrases, so that a publication or a start need not compute them again: a large encoder takes a tenth of a second for each.
create table phrase_vector (
  model text not null,
  -- sha256 of the text
  digest bytea not null,
  -- 768 numbers of single precision, little endian
  vector bytea not null,
  primary key (model, digest)
);
-- The numbers do not compress.
alter table phrase_vector alter column vector set storage external;
