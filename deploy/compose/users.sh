#!/bin/sh
# Runs once, in a new database: `civigraph_owner` owns the tables (migrate, backup); grants.sql gives `civigraph` (subgraphs, workers)
# and `civigraph_front` (gateway, REST) their rights.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -d civigraph -v owner="$(cat /run/secrets/owner_password)" -v process="$(cat /run/secrets/process_password)" -v front="$(cat /run/secrets/front_password)" <<'SQL'
create role civigraph_owner login password :'owner';
create role civigraph login password :'process';
create role civigraph_front login password :'front';
alter database civigraph owner to civigraph_owner;
alter schema public owner to civigraph_owner;
revoke all on schema public from public;
alter default privileges for role civigraph_owner revoke execute on functions from public;
SQL
