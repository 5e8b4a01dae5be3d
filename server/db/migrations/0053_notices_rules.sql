ALTER TABLE notices ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
-- The server inserts notices; a user reads the own ones and sets the time of reading.
GRANT SELECT, UPDATE (read_at) ON notices TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON notices TO lectern_app USING (user_id = (SELECT app_user_id())) WITH CHECK (user_id = (SELECT app_user_id()));
