-- migration: contract
-- No process of 1.0 runs any more.
drop table migration;
