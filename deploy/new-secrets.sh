#!/bin/sh
# Writes the secrets of compose.yaml to deploy/secrets, once. Containers read them as user 1000 or 999, so the files are readable, and
# only the folder is closed to other users of the machine.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then echo 'deploy/secrets exists: nothing was changed.' >&2; exit 1; fi
secret() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }
mkdir -m 700 secrets
umask 022
password=$(secret)
printf %s "$password" > secrets/lectern_password
printf %s "postgres://lectern:$password@database:5432/lectern" > secrets/database_url
secret > secrets/postgres_password
secret > secrets/auth_secret
