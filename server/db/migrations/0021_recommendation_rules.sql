ALTER TABLE research_recommendation ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON research_recommendation TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON research_recommendation TO lectern_app USING (owner_id = app_user_id()) WITH CHECK (owner_id = app_user_id());
