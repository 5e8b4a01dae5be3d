-- Everyone who is signed in reads what is excluded, for their lists leave it out; admins write. The runs of the journal
-- update are the server's own and out of that role's reach.
ALTER TABLE excluded_journals ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON excluded_journals TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_signed_in ON excluded_journals FOR SELECT TO lectern_app USING (app_user_id() IS NOT NULL);
--> statement-breakpoint
CREATE POLICY write_admin ON excluded_journals TO lectern_app USING (app_is_admin()) WITH CHECK (app_is_admin());
