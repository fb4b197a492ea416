#!/bin/sh
# Creates secrets.env, front.env and owner.env for the Kustomization, without changing existing ones. Keep a copy of secrets.env elsewhere, and out of version control.
#   make-secrets.sh DATABASE_URL FRONT_DATABASE_URL OWNER_DATABASE_URL REDIS_URL
set -eu
[ $# -eq 4 ] || { echo 'usage: make-secrets.sh DATABASE_URL FRONT_DATABASE_URL OWNER_DATABASE_URL REDIS_URL' >&2; exit 2; }
umask 077
cd "$(dirname "$0")"
if ! [ -s secrets.env ]; then
  {
    echo "DATABASE_URL=$1"
    echo "REDIS_URL=$4"
    for key in VAULT_KEY PSEUDONYM_KEY EXPRESSION_KEY PRINCIPAL_SIGNING_KEY; do echo "$key=$(openssl rand -base64 32)"; done
    # filled during a rotation (docs/operations/keys.md)
    for key in VAULT_KEY PRINCIPAL_SIGNING_KEY; do echo "${key}_PREVIOUS="; done
  } >secrets.env.new
  mv secrets.env.new secrets.env
fi
[ -s front.env ] || echo "DATABASE_URL=$2" >front.env
[ -s owner.env ] || echo "DATABASE_URL=$3" >owner.env
