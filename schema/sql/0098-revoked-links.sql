-- migration: expand
-- Signed links to private tenants that an administrator has revoked, until they would have ended.
create table content_revoked_link (
  key uuid primary key,
  tenant text not null,
  expires_at timestamptz not null
);
