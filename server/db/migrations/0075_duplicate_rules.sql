ALTER TABLE duplicate_pairs ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE duplicate_answers ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE joined_papers ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
-- The server writes pairs, and uses checks and keys alone.
REVOKE ALL ON duplicate_checks, duplicate_keys, duplicate_pairs FROM lectern_app;
--> statement-breakpoint
GRANT SELECT ON duplicate_pairs TO lectern_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON duplicate_answers TO lectern_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON joined_papers TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_rows ON duplicate_pairs FOR SELECT TO lectern_app USING (project_id = ANY (ARRAY (SELECT app_projects('read'))));
--> statement-breakpoint
CREATE POLICY read_rows ON duplicate_answers FOR SELECT TO lectern_app USING (project_id = ANY (ARRAY (SELECT app_projects('read'))));
--> statement-breakpoint
CREATE POLICY add_rows ON duplicate_answers FOR INSERT TO lectern_app
  WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('edit')))
    AND EXISTS (SELECT FROM documents d WHERE d.id = first_id AND d.project_id = duplicate_answers.project_id)
    AND EXISTS (SELECT FROM documents d WHERE d.id = second_id AND d.project_id = duplicate_answers.project_id));
--> statement-breakpoint
CREATE POLICY change_rows ON duplicate_answers FOR UPDATE TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('edit')))) WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('edit'))));
--> statement-breakpoint
CREATE POLICY remove_rows ON duplicate_answers FOR DELETE TO lectern_app USING (project_id = ANY (ARRAY (SELECT app_projects('edit'))));
--> statement-breakpoint
CREATE POLICY read_rows ON joined_papers FOR SELECT TO lectern_app USING (project_id = ANY (ARRAY (SELECT app_projects('read'))));
--> statement-breakpoint
CREATE POLICY add_rows ON joined_papers FOR INSERT TO lectern_app
  WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('edit')))
    AND EXISTS (SELECT FROM documents d WHERE d.id = kept_id AND d.project_id = joined_papers.project_id)
    AND EXISTS (SELECT FROM documents d WHERE d.id = joined_id AND d.project_id = joined_papers.project_id));
--> statement-breakpoint
CREATE POLICY change_rows ON joined_papers FOR UPDATE TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('edit')))) WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('edit'))));
--> statement-breakpoint
-- The members of a reference that are compared (server/matching).
CREATE FUNCTION compared_fields(reference jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object('type', reference -> 'type', 'title', reference -> 'title', 'DOI', reference -> 'DOI',
    'PMID', reference -> 'PMID', 'PMCID', reference -> 'PMCID', 'ISBN', reference -> 'ISBN', 'URL', reference -> 'URL',
    'number', reference -> 'number', 'archive_location', reference -> 'archive_location', 'issued', reference -> 'issued',
    'author', CASE WHEN reference #> '{author,0}' IS NOT NULL THEN jsonb_build_array(reference #> '{author,0}') END,
    'volume', reference -> 'volume', 'page', reference -> 'page'))
$$;
--> statement-breakpoint
-- Notes that a document has to be compared (table duplicate_checks), and wakes the server at commit. The row of a document
-- without a project stays until the next check, which removes its keys and pairs: a request never waits for a check.
CREATE FUNCTION note_compared_document() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  project uuid := CASE WHEN NEW.deleted_at IS NULL THEN NEW.project_id END;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF project IS NULL THEN RETURN NULL; END IF;
  ELSE
    IF NEW.project_id IS DISTINCT FROM OLD.project_id THEN
      UPDATE joined_papers SET project_id = NEW.project_id WHERE kept_id = NEW.id;
      DELETE FROM duplicate_answers WHERE NEW.id IN (first_id, second_id) AND NEW.project_id IS NULL;
      UPDATE duplicate_answers SET project_id = NEW.project_id WHERE first_id = NEW.id OR second_id = NEW.id;
    ELSIF NEW.deleted_at IS NULL AND OLD.deleted_at IS NULL
      AND compared_fields(NEW.reference) = compared_fields(OLD.reference) THEN
      RETURN NULL;
    END IF;
  END IF;
  IF project IS NULL THEN
    UPDATE duplicate_checks SET project_id = NULL, is_waiting = true, changes = changes + 1, claimed_at = NULL WHERE document_id = NEW.id;
  ELSE
    INSERT INTO duplicate_checks (document_id, project_id) VALUES (NEW.id, project)
      ON CONFLICT (document_id) DO UPDATE SET project_id = project, is_waiting = true, changes = duplicate_checks.changes + 1, claimed_at = NULL;
  END IF;
  PERFORM pg_notify('lectern_compare', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER documents_note_compared AFTER INSERT OR UPDATE OF reference, project_id, deleted_at ON documents
  FOR EACH ROW EXECUTE FUNCTION note_compared_document();
--> statement-breakpoint
-- The next check of one document of a pair adds or removes the pair, and forms its group anew.
CREATE FUNCTION note_refused_pair() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  pair duplicate_answers := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF pair.answer = 'refused' THEN
    UPDATE duplicate_checks SET is_waiting = true, changes = changes + 1, claimed_at = NULL
      WHERE document_id = pair.first_id AND project_id IS NOT NULL;
    PERFORM pg_notify('lectern_compare', '');
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER duplicate_answers_note_refused AFTER INSERT OR UPDATE OR DELETE ON duplicate_answers
  FOR EACH ROW EXECUTE FUNCTION note_refused_pair();
--> statement-breakpoint
-- The documents from before this version.
INSERT INTO duplicate_checks (document_id, project_id)
  SELECT id, project_id FROM documents WHERE project_id IS NOT NULL AND deleted_at IS NULL;
