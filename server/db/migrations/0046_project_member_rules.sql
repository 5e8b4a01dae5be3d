-- The rights of each role. shared/contract/roles.ts has the same table, and a test compares both.
CREATE FUNCTION app_rights(role text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE role
    WHEN 'viewer' THEN ARRAY['read']
    WHEN 'commenter' THEN ARRAY['read', 'comment']
    WHEN 'reviewer' THEN ARRAY['read', 'comment', 'ask', 'review']
    WHEN 'editor' THEN ARRAY['read', 'comment', 'ask', 'review', 'edit']
    WHEN 'resolver' THEN ARRAY['read', 'comment', 'ask', 'review', 'edit', 'resolve']
    WHEN 'owner' THEN ARRAY['read', 'comment', 'ask', 'review', 'edit', 'resolve', 'manage']
    ELSE ARRAY[]::text[]
  END
$$;
--> statement-breakpoint
-- The projects in which the caller has a right. Policies compare with ANY (ARRAY (SELECT app_projects('read'))), which is
-- evaluated once for each statement. Both functions run as the owner of the tables, because the policy of project_members
-- calls them.
CREATE FUNCTION app_projects(what text) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE ROWS 10 SET search_path = public, pg_temp AS $$
  SELECT m.project_id FROM project_members m JOIN projects p ON p.id = m.project_id
  WHERE m.user_id = app_user_id() AND what = ANY (app_rights(m.role)) AND (p.deleted_at IS NULL OR app_sees_deleted())
$$;
--> statement-breakpoint
-- Whether the caller has a right in one project. Never call it for each row of a large table.
CREATE FUNCTION app_can(project uuid, what text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM project_members m JOIN projects p ON p.id = m.project_id
    WHERE m.project_id = project AND m.user_id = app_user_id() AND what = ANY (app_rights(m.role))
      AND (p.deleted_at IS NULL OR app_sees_deleted()))
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION app_projects(text), app_can(uuid, text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION app_projects(text), app_can(uuid, text) TO lectern_app;
--> statement-breakpoint
ALTER TABLE project_members ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE, UPDATE (role) ON project_members TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_members ON project_members FOR SELECT TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('read'))));
--> statement-breakpoint
CREATE POLICY add_owners ON project_members FOR INSERT TO lectern_app
  WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('manage'))));
--> statement-breakpoint
CREATE POLICY change_owners ON project_members FOR UPDATE TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('manage'))))
  WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('manage'))));
--> statement-breakpoint
-- Members leave a project themselves.
CREATE POLICY remove_owners ON project_members FOR DELETE TO lectern_app
  USING (user_id = (SELECT app_user_id()) OR project_id = ANY (ARRAY (SELECT app_projects('manage'))));
--> statement-breakpoint
INSERT INTO project_members (project_id, user_id, role, added_at) SELECT id, owner_id, 'owner', created_at FROM projects;
--> statement-breakpoint
CREATE FUNCTION project_gets_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO project_members (project_id, user_id, role) VALUES (NEW.id, NEW.owner_id, 'owner');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER project_gets_owner AFTER INSERT ON projects FOR EACH ROW EXECUTE FUNCTION project_gets_owner();
--> statement-breakpoint
-- projects.owner_id names an owner. The lock serialises this change with a change of that member's role.
CREATE FUNCTION project_keeps_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM project_members WHERE project_id = NEW.id AND user_id = NEW.owner_id AND role = 'owner' FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'A project needs at least one owner.'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'project_needs_owner', TABLE = 'projects';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER project_keeps_owner BEFORE UPDATE OF owner_id ON projects FOR EACH ROW
  WHEN (OLD.owner_id IS DISTINCT FROM NEW.owner_id) EXECUTE FUNCTION project_keeps_owner();
--> statement-breakpoint
CREATE FUNCTION member_stays_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id AND owner_id = OLD.user_id) THEN
    RAISE EXCEPTION 'A project needs at least one owner.'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'project_needs_owner', TABLE = 'project_members';
  END IF;
  RETURN coalesce(NEW, OLD);
END
$$;
--> statement-breakpoint
CREATE TRIGGER member_stays_owner BEFORE DELETE ON project_members FOR EACH ROW EXECUTE FUNCTION member_stays_owner();
--> statement-breakpoint
CREATE TRIGGER member_remains_owner BEFORE UPDATE OF project_id, user_id, role ON project_members FOR EACH ROW
  WHEN ((OLD.project_id, OLD.user_id, OLD.role) IS DISTINCT FROM (NEW.project_id, NEW.user_id, NEW.role))
  EXECUTE FUNCTION member_stays_owner();
--> statement-breakpoint
-- Chunks and sentences have a copy of their document's project. The server fills the rows that exist already in batches
-- after this migration.
CREATE FUNCTION chunk_gets_project() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- The lock makes a concurrent move of the document wait, which then updates this row too.
  SELECT project_id INTO NEW.project_id FROM documents WHERE id = NEW.document_id FOR SHARE;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER chunk_gets_project BEFORE INSERT ON chunks FOR EACH ROW EXECUTE FUNCTION chunk_gets_project();
--> statement-breakpoint
CREATE TRIGGER chunk_gets_project BEFORE INSERT ON chunk_sentences FOR EACH ROW EXECUTE FUNCTION chunk_gets_project();
--> statement-breakpoint
CREATE FUNCTION move_document_rows() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE chunks SET project_id = NEW.project_id WHERE document_id = NEW.id;
  UPDATE chunk_sentences SET project_id = NEW.project_id WHERE document_id = NEW.id;
  UPDATE jobs SET project_id = NEW.project_id WHERE document_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_rows_move AFTER UPDATE OF project_id ON documents FOR EACH ROW
  WHEN (OLD.project_id IS DISTINCT FROM NEW.project_id) EXECUTE FUNCTION move_document_rows();
