-- Admins read the log and write under their own name. Nobody changes or deletes a line of it, the owner of the tables included.
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT ON audit_log TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_admin ON audit_log FOR SELECT TO lectern_app USING (app_is_admin());
--> statement-breakpoint
CREATE POLICY write_admin ON audit_log FOR INSERT TO lectern_app WITH CHECK (app_is_admin() AND actor_id = app_user_id());
--> statement-breakpoint
CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION 'The audit log can only be added to.'; END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_stays();
--> statement-breakpoint
CREATE TRIGGER audit_log_stays_whole BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();
--> statement-breakpoint
-- A disabled admin is none.
CREATE OR REPLACE FUNCTION app_is_admin() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT coalesce((SELECT is_admin AND disabled_at IS NULL FROM profiles WHERE id = nullif(current_setting('app.user_id', true), '')), false) $$;
--> statement-breakpoint
UPDATE profiles SET last_sign_in_at = (SELECT max(created_at) FROM session WHERE session.user_id = profiles.id);
