#!/bin/sh
# Runs once, in the new database of compose.yaml: creates the owner, which is not a superuser, and its database with the extension.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat "${LECTERN_PASSWORD_FILE:-/run/secrets/lectern_password}")" --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
CREATE ROLE lectern LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE lectern OWNER lectern;
\connect lectern
CREATE EXTENSION vector;
SQL
