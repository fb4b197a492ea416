#!/bin/sh
# Creates the secrets of the Compose file, without changing existing ones. The TLS certificate for HOST is self-signed: replace it with yours.
set -eu
host=${1:?usage: make-secrets.sh HOST}
umask 077
mkdir -p "$(dirname "$0")/secrets"
cd "$(dirname "$0")/secrets"
made() { [ -s "$1" ] || { cat >"$1.new" && mv "$1.new" "$1"; }; }
for key in vault_key pseudonym_key expression_key principal_signing_key; do openssl rand -base64 32 | made "$key"; done
for password in postgres_password owner_password process_password front_password redis_password grafana_password; do openssl rand -hex 24 | made "$password"; done
printf 'postgres://civigraph:%s@postgres:5432/civigraph\n' "$(cat process_password)" | made database_url
printf 'postgres://civigraph_owner:%s@postgres:5432/civigraph\n' "$(cat owner_password)" | made owner_database_url
printf 'postgres://civigraph_front:%s@postgres:5432/civigraph\n' "$(cat front_password)" | made front_database_url
# empty outside a rotation (docs/operations/keys.md)
touch vault_key_previous principal_signing_key_previous
printf 'redis://:%s@redis:6379/0\n' "$(cat redis_password)" | made redis_url
if ! [ -s tls.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj "/CN=$host" -addext "subjectAltName=DNS:$host" \
    -keyout key.pem -out certificate.pem 2>/dev/null
  cat certificate.pem key.pem >tls.pem
  rm key.pem certificate.pem
fi
# container users read the files; no other user of this machine can enter the folder
chmod 700 .
chmod 644 ./*
