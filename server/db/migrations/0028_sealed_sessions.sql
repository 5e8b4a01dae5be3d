-- What opens a session is kept as its SHA-256 from now on (server/auth/session-tokens.ts): sessions that are open stay so.
UPDATE session SET token = encode(sha256(convert_to(token, 'UTF8')), 'hex');--> statement-breakpoint
-- Nothing is asked of a sign-in provider with these after the sign-in.
UPDATE account SET access_token = NULL, refresh_token = NULL, id_token = NULL
WHERE access_token IS NOT NULL OR refresh_token IS NOT NULL OR id_token IS NOT NULL;
