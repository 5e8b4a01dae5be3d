ALTER TABLE uploads ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON uploads TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON uploads TO lectern_app USING (owner_id = app_user_id()) WITH CHECK (owner_id = app_user_id());
