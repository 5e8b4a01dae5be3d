-- A user reads and writes the own connection.
ALTER TABLE zotero_connections ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON zotero_connections TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON zotero_connections TO lectern_app
  USING (user_id = (SELECT app_user_id())) WITH CHECK (user_id = (SELECT app_user_id()));
--> statement-breakpoint
-- Rows of a project, as other tables.
ALTER TABLE zotero_libraries ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE zotero_items ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON zotero_libraries, zotero_items TO lectern_app;
--> statement-breakpoint
DO $$
DECLARE
  one text;
  edited text := 'project_id = ANY (ARRAY (SELECT app_projects(''edit'')))';
BEGIN
  FOREACH one IN ARRAY ARRAY['zotero_libraries', 'zotero_items'] LOOP
    EXECUTE format('CREATE POLICY read_rows ON %I FOR SELECT TO lectern_app USING (project_id = ANY (ARRAY (SELECT app_projects(''read''))))', one);
    EXECUTE format('CREATE POLICY add_rows ON %I FOR INSERT TO lectern_app WITH CHECK (', one) || edited || ')';
    EXECUTE format('CREATE POLICY change_rows ON %I FOR UPDATE TO lectern_app USING (', one) || edited || ') WITH CHECK (' || edited || ')';
    EXECUTE format('CREATE POLICY delete_rows ON %I FOR DELETE TO lectern_app USING (', one) || edited || ')';
  END LOOP;
END
$$;
