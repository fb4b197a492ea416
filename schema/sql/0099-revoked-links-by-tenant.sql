-- migration: expand
-- A key that was revoked under another tenant must not hide the revocation of the link's own tenant. Processes of the earlier build still write to
-- content_revoked_link: what they write is copied.
create table content_link_revocation (
  key uuid not null,
  tenant text not null,
  expires_at timestamptz not null,
  primary key (key, tenant)
);
insert into content_link_revocation (key, tenant, expires_at) select key, tenant, expires_at from content_revoked_link;
create function copy_revoked_link() returns trigger language plpgsql as $$
begin
  insert into content_link_revocation (key, tenant, expires_at) values (new.key, new.tenant, new.expires_at) on conflict do nothing;
  return new;
end
$$;
create trigger copy_revoked_link after insert on content_revoked_link for each row execute function copy_revoked_link();
