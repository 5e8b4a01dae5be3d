-- Owners of a project read and write its budgets; the server reads them before a call that costs money.
ALTER TABLE project_budgets ADD CONSTRAINT project_budgets_valid
  CHECK (dollars >= 0 AND role IN ('reviewer', 'editor', 'resolver', 'owner'));
--> statement-breakpoint
ALTER TABLE project_budgets ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON project_budgets TO lectern_app;
--> statement-breakpoint
CREATE POLICY managed_rows ON project_budgets TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('manage'))))
  WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('manage'))));
