#!/bin/sh
# Runs once, in a new database: `civigraph_owner` owns the tables (migrate, backup), `civigraph` reads and writes them (processes).
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -d civigraph -v owner="$(cat /run/secrets/owner_password)" -v process="$(cat /run/secrets/process_password)" <<'SQL'
create role civigraph_owner login password :'owner';
create role civigraph login password :'process';
alter database civigraph owner to civigraph_owner;
alter schema public owner to civigraph_owner;
revoke all on schema public from public;
grant usage on schema public to civigraph;
alter default privileges for role civigraph_owner grant select, insert, update, delete on tables to civigraph;
alter default privileges for role civigraph_owner grant usage, select on sequences to civigraph;
alter default privileges for role civigraph_owner revoke execute on functions from public;
alter default privileges for role civigraph_owner grant execute on functions to civigraph;
SQL
