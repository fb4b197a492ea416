-- migration: expand
-- A rebuild of the roll-ups loads the cells without indices and creates these afterwards, with the rights of the owner.

create function unindex_roll_up_cells() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  index_name text;
begin
  alter table rebuilding.roll_up_cell drop constraint if exists roll_up_cell_pkey;
  for index_name in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'rebuilding.roll_up_cell'::regclass loop
    execute format('drop index rebuilding.%I', index_name);
  end loop;
end
$$;

create function index_roll_up_cells() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  alter table rebuilding.roll_up_cell add constraint roll_up_cell_pkey primary key (zoom, bucket, y, x);
  create index roll_up_cell_column on rebuilding.roll_up_cell (zoom, bucket, x, y) where zoom between 0 and 6;
end
$$;

revoke execute on function unindex_roll_up_cells(), index_roll_up_cells() from public;
