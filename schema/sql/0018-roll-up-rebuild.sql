-- migration: expand
-- Roll-ups are built anew in tables beside those that answer. These functions make, exchange and remove them with the rights of who owns them,
-- so that a worker needs no right to change the schema; whoever may use a table may use the one that takes its place.

create function roll_up_tables() returns setof text language sql immutable as $$
  select unnest(array['roll_up_key', 'roll_up_expression', 'roll_up_cell', 'roll_up_vote', 'participant', 'participant_count'])
$$;

create function forget_roll_up_rebuild() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  drop schema if exists rebuilding cascade;
end
$$;

create function begin_roll_up_rebuild() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  name text;
  given record;
begin
  create schema rebuilding;
  execute format('grant usage on schema rebuilding to %I', session_user);
  for name in select public.roll_up_tables() loop
    execute format('create table rebuilding.%I (like public.%I including all)', name, name);
    for given in
      select privilege_type, case grantee when 0 then 'public' else grantee::regrole::text end as grantee
      from pg_class, aclexplode(relacl) where oid = format('public.%I', name)::regclass and grantee <> relowner
    loop
      execute format('grant %s on rebuilding.%I to %s', given.privilege_type, name, given.grantee);
    end loop;
  end loop;
end
$$;

create function end_roll_up_rebuild() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  name text;
begin
  for name in select public.roll_up_tables() loop
    execute format('drop table public.%I', name);
    execute format('alter table rebuilding.%I set schema public', name);
  end loop;
end
$$;

revoke execute on function forget_roll_up_rebuild(), begin_roll_up_rebuild(), end_roll_up_rebuild() from public;
