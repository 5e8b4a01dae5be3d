-- Each request runs as lectern_app with app.user_id set for its transaction. Without app.user_id nothing is visible and
-- nothing can be written. Accounts, the queue's own tables and everything without a grant below are out of that role's reach.
CREATE FUNCTION app_user_id() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('app.user_id', true), '') $$;
--> statement-breakpoint
CREATE FUNCTION app_is_admin() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT coalesce((SELECT is_admin FROM profiles WHERE id = nullif(current_setting('app.user_id', true), '')), false) $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO lectern_app;
--> statement-breakpoint
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['projects', 'tags', 'documents', 'chunks', 'chunk_sentences', 'jobs', 'events'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO lectern_app', owned);
    EXECUTE format('CREATE POLICY own_rows ON %I TO lectern_app USING (owner_id = app_user_id()) WITH CHECK (owner_id = app_user_id())', owned);
  END LOOP;
END
$$;
--> statement-breakpoint
ALTER TABLE project_tags ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON project_tags TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON project_tags TO lectern_app
  USING (EXISTS (SELECT 1 FROM projects WHERE projects.id = project_id AND projects.owner_id = app_user_id()))
  WITH CHECK (
    EXISTS (SELECT 1 FROM projects WHERE projects.id = project_id AND projects.owner_id = app_user_id())
    AND EXISTS (SELECT 1 FROM tags WHERE tags.id = tag_id AND tags.owner_id = app_user_id())
  );
--> statement-breakpoint
ALTER TABLE document_tags ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON document_tags TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON document_tags TO lectern_app
  USING (EXISTS (SELECT 1 FROM documents WHERE documents.id = document_id AND documents.owner_id = app_user_id()))
  WITH CHECK (
    EXISTS (SELECT 1 FROM documents WHERE documents.id = document_id AND documents.owner_id = app_user_id())
    AND EXISTS (SELECT 1 FROM tags WHERE tags.id = tag_id AND tags.owner_id = app_user_id())
  );
--> statement-breakpoint
-- A profile is read by its person and by admins, and written by its person, but never its admin flag or e-mail.
ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT ON profiles TO lectern_app;
--> statement-breakpoint
GRANT UPDATE (full_name, display_name, bio, avatar_url, email_notifications, theme, font_size, updated_at) ON profiles TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_own_or_admin ON profiles FOR SELECT TO lectern_app USING (id = app_user_id() OR app_is_admin());
--> statement-breakpoint
CREATE POLICY write_own ON profiles FOR UPDATE TO lectern_app USING (id = app_user_id()) WITH CHECK (id = app_user_id());
--> statement-breakpoint
-- Shared shelves: everyone who is signed in reads; admins write; people add journals under their own name.
ALTER TABLE prompt_library ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON prompt_library TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_signed_in ON prompt_library FOR SELECT TO lectern_app USING (app_user_id() IS NOT NULL);
--> statement-breakpoint
CREATE POLICY write_admin ON prompt_library TO lectern_app USING (app_is_admin()) WITH CHECK (app_is_admin());
--> statement-breakpoint
ALTER TABLE journals ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON journals TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_signed_in ON journals FOR SELECT TO lectern_app USING (app_user_id() IS NOT NULL);
--> statement-breakpoint
CREATE POLICY add_by_name ON journals FOR INSERT TO lectern_app WITH CHECK (user_added AND added_by = app_user_id());
--> statement-breakpoint
CREATE POLICY write_admin ON journals TO lectern_app USING (app_is_admin()) WITH CHECK (app_is_admin());
--> statement-breakpoint
-- Calls of models are written by the server and read by their person and by admins.
ALTER TABLE ai_calls ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT ON ai_calls TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_own_or_admin ON ai_calls FOR SELECT TO lectern_app USING (user_id = app_user_id() OR app_is_admin());
