-- API keys. A request with a key sets app.key_rights to the rights that its scopes leave, and app.key_projects to the array of
-- its projects ('' for a key without that restriction). The functions below apply both to every policy.
CREATE FUNCTION app_by_key() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(current_setting('app.key_rights', true), '') <> ''
$$;
--> statement-breakpoint
CREATE FUNCTION app_key_allows(what text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT NOT app_by_key() OR what = ANY (string_to_array(current_setting('app.key_rights', true), ','))
$$;
--> statement-breakpoint
-- Null: every project. An empty array: none, when all projects of the key were deleted.
CREATE FUNCTION app_key_projects() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(current_setting('app.key_projects', true), '')::uuid[]
$$;
--> statement-breakpoint
CREATE FUNCTION app_key_rights(rights text[]) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN app_by_key() THEN ARRAY(SELECT one FROM unnest(rights) one WHERE app_key_allows(one)) ELSE rights END
$$;
--> statement-breakpoint
-- Whether the key has a right for the rows of its user without a project.
CREATE FUNCTION app_key_unassigned(what text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT app_key_projects() IS NULL AND app_key_allows(what)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION app_projects(what text) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE ROWS 10 SET search_path = public, pg_temp AS $$
  SELECT m.project_id FROM project_members m JOIN projects p ON p.id = m.project_id
  WHERE m.user_id = app_user_id() AND what = ANY (app_rights(m.role)) AND (p.deleted_at IS NULL OR app_sees_deleted())
    AND app_key_allows(what) AND (app_key_projects() IS NULL OR m.project_id = ANY (app_key_projects()))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION app_can(project uuid, what text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM project_members m JOIN projects p ON p.id = m.project_id
    WHERE m.project_id = project AND m.user_id = app_user_id() AND what = ANY (app_rights(m.role))
      AND (p.deleted_at IS NULL OR app_sees_deleted())
      AND app_key_allows(what) AND (app_key_projects() IS NULL OR m.project_id = ANY (app_key_projects())))
$$;
--> statement-breakpoint
-- The key of an administrator has no right of administration.
CREATE OR REPLACE FUNCTION app_is_admin() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT NOT app_by_key() AND coalesce((SELECT is_admin AND disabled_at IS NULL FROM profiles WHERE id = nullif(current_setting('app.user_id', true), '')), false) $$;
--> statement-breakpoint
-- Rows without a project: only for keys without a restriction to projects, and with the right.
DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['documents', 'tags', 'chunks', 'chunk_sentences', 'document_search', 'jobs', 'events'] LOOP
    EXECUTE format($x$CREATE POLICY key_reads ON %I AS RESTRICTIVE FOR SELECT TO lectern_app
      USING (project_id IS NOT NULL OR (SELECT app_key_unassigned('read')))$x$, one);
  END LOOP;
  FOREACH one IN ARRAY ARRAY['documents', 'tags', 'chunks', 'chunk_sentences'] LOOP
    EXECUTE format($x$CREATE POLICY key_adds ON %I AS RESTRICTIVE FOR INSERT TO lectern_app
      WITH CHECK (project_id IS NOT NULL OR (SELECT app_key_unassigned('edit')))$x$, one);
    EXECUTE format($x$CREATE POLICY key_changes ON %I AS RESTRICTIVE FOR UPDATE TO lectern_app
      USING (project_id IS NOT NULL OR (SELECT app_key_unassigned('edit')))
      WITH CHECK (project_id IS NOT NULL OR (SELECT app_key_unassigned('edit')))$x$, one);
    EXECUTE format($x$CREATE POLICY key_removes ON %I AS RESTRICTIVE FOR DELETE TO lectern_app
      USING (project_id IS NOT NULL OR (SELECT app_key_unassigned('edit')))$x$, one);
  END LOOP;
END
$$;
--> statement-breakpoint
CREATE POLICY key_adds ON document_tags AS RESTRICTIVE FOR INSERT TO lectern_app WITH CHECK ((SELECT app_key_allows('edit')));
--> statement-breakpoint
CREATE POLICY key_removes ON document_tags AS RESTRICTIVE FOR DELETE TO lectern_app USING ((SELECT app_key_allows('edit')));
--> statement-breakpoint
-- Rows of the account, which no key reaches.
CREATE POLICY key_adds ON projects AS RESTRICTIVE FOR INSERT TO lectern_app WITH CHECK (NOT (SELECT app_by_key()));
--> statement-breakpoint
CREATE POLICY key_changes ON profiles AS RESTRICTIVE FOR UPDATE TO lectern_app USING (NOT (SELECT app_by_key()));
--> statement-breakpoint
CREATE POLICY key_removes ON project_members AS RESTRICTIVE FOR DELETE TO lectern_app USING (NOT (SELECT app_by_key()));
--> statement-breakpoint
CREATE POLICY key_limits ON notices AS RESTRICTIVE FOR ALL TO lectern_app USING (NOT (SELECT app_by_key()));
--> statement-breakpoint
CREATE POLICY key_limits ON uploads AS RESTRICTIVE FOR ALL TO lectern_app USING ((SELECT app_key_allows('edit')));
--> statement-breakpoint
-- The functions that run as the owner of the tables apply the same rules themselves.
DO $$
DECLARE
  one oid;
BEGIN
  FOR one IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef AND prosrc ~ 'project_id IS NULL AND (\w+\.)?created_by = ' LOOP
    EXECUTE regexp_replace(pg_get_functiondef(one),
      '((?:\w+\.)?project_id IS NULL AND (?:\w+\.)?created_by = (?:\(SELECT app_user_id\(\)\)|app_user_id\(\)))',
      $x$\1 AND (SELECT app_key_unassigned('read'))$x$, 'g');
  END LOOP;
END
$$;
--> statement-breakpoint
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE api_key_projects ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE api_key_calls ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (revoked_at, hash) ON api_keys TO lectern_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON api_key_projects TO lectern_app;
--> statement-breakpoint
-- The server writes the calls.
GRANT SELECT ON api_key_calls TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON api_keys TO lectern_app
  USING (user_id = (SELECT app_user_id()) AND NOT (SELECT app_by_key()))
  WITH CHECK (user_id = (SELECT app_user_id()) AND NOT (SELECT app_by_key()));
--> statement-breakpoint
CREATE POLICY own_rows ON api_key_projects TO lectern_app
  USING (EXISTS (SELECT FROM api_keys WHERE api_keys.id = key_id))
  WITH CHECK (EXISTS (SELECT FROM api_keys WHERE api_keys.id = key_id) AND project_id = ANY (ARRAY (SELECT app_projects('read'))));
--> statement-breakpoint
CREATE POLICY own_rows ON api_key_calls FOR SELECT TO lectern_app
  USING (user_id = (SELECT app_user_id()) AND NOT (SELECT app_by_key()));
--> statement-breakpoint
-- Every server clears its cache of keys.
CREATE FUNCTION api_keys_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('lectern_key', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER api_keys_changed AFTER UPDATE OF revoked_at, expires_at, hash, scopes, all_projects ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION api_keys_changed();
--> statement-breakpoint
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_changed();
--> statement-breakpoint
CREATE TRIGGER api_key_projects_changed AFTER DELETE ON api_key_projects FOR EACH ROW EXECUTE FUNCTION api_keys_changed();
--> statement-breakpoint
CREATE TRIGGER api_keys_of_disabled AFTER UPDATE OF disabled_at ON profiles FOR EACH ROW
  WHEN (OLD.disabled_at IS DISTINCT FROM NEW.disabled_at) EXECUTE FUNCTION api_keys_changed();
