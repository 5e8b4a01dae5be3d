-- Owners of the project read and write its invitations. The server reads a link for its reader, who is no member yet.
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON invitations TO lectern_app;
--> statement-breakpoint
CREATE POLICY managed_rows ON invitations TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('manage'))))
  WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('manage'))));
