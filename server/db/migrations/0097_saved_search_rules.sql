-- A saved search belongs to its user, while the user reads the project.
ALTER TABLE saved_searches ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_searches TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON saved_searches TO lectern_app
  USING (created_by = (SELECT app_user_id()) AND project_id = ANY (ARRAY (SELECT app_projects('read'))))
  WITH CHECK (created_by = (SELECT app_user_id()) AND project_id = ANY (ARRAY (SELECT app_projects('read'))));
