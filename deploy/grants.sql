-- Rights of the processes, for the owner of the tables after each `migrate apply`: psql -f grants.sql. Needs REDIS_URL; repeating it changes nothing.
--   civigraph        subgraphs and workers: every table, no right to change the schema
--   civigraph_front  gateway and REST, which clients reach: keys, sign-ins and state of the platform, and no content, job or expression
grant usage on schema public to civigraph, civigraph_front;
grant select, insert, update, delete on all tables in schema public to civigraph;
grant usage, select on all sequences in schema public to civigraph;
grant execute on all functions in schema public to civigraph;

grant select on schema_migration, service_key, lease, event_topic, event_cursor, platform_key, platform_process, platform_backup,
  identity_key, identity_account, identity_token to civigraph_front;
grant insert, update, delete on platform_process, identity_key, identity_token to civigraph_front;
grant insert, update on platform_key to civigraph_front;
grant insert on audit_record to civigraph_front;
-- not the details, which have the pseudonyms of voters until they are counted
revoke select on event from civigraph_front;
grant select (topic, position, kind, id, at, format) on event to civigraph_front;
-- which keys sealed records, not the records
grant select (key_id) on vault_record, service_callback_secret, verification_face_template to civigraph_front;
