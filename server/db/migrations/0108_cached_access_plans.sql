-- PostgreSQL plans the statement of an SQL function in every statement that calls it, and that of a PL/pgSQL function once for
-- each connection. The check of the rights takes a quarter of the processor time. The conditions are unchanged.
CREATE OR REPLACE FUNCTION app_projects(what text) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE ROWS 10 SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT m.project_id FROM project_members m JOIN projects p ON p.id = m.project_id
    WHERE m.user_id = app_user_id() AND what = ANY (app_rights(m.role)) AND (p.deleted_at IS NULL OR app_sees_deleted())
      AND app_key_allows(what) AND (app_key_projects() IS NULL OR m.project_id = ANY (app_key_projects()));
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION app_can(project uuid, what text) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM project_members m JOIN projects p ON p.id = m.project_id
    WHERE m.project_id = project AND m.user_id = app_user_id() AND what = ANY (app_rights(m.role))
      AND (p.deleted_at IS NULL OR app_sees_deleted())
      AND app_key_allows(what) AND (app_key_projects() IS NULL OR m.project_id = ANY (app_key_projects())));
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION app_project() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
DECLARE
  named CONSTANT uuid := nullif(current_setting('app.project_id', true), '');
BEGIN
  RETURN CASE WHEN named IS NOT NULL AND app_can(named, 'read') THEN named END;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION app_hidden_documents() RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE ROWS 100 SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT d.id FROM documents d
    WHERE d.deleted_at IS NOT NULL AND NOT app_sees_deleted()
      AND (d.project_id = ANY (ARRAY (SELECT app_projects('read')))
        OR d.project_id IS NULL AND d.created_by = app_user_id() AND (SELECT app_key_unassigned('read')));
END
$$;
