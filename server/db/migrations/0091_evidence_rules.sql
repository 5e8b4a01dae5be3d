-- Evidence of a project is visible to the readers of the project, and evidence of a private subject to its creator only.
ALTER TABLE evidence ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON evidence TO lectern_app;
--> statement-breakpoint
-- Rows without a project: of their creator, and for API keys without a restriction to projects.
DO $$
DECLARE
  allowed text := '((project_id = ANY (ARRAY (SELECT app_projects(%1$L))) AND (visibility = ''project'' OR created_by = (SELECT app_user_id())))'
    ' OR project_id IS NULL AND created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned(%1$L)))';
BEGIN
  EXECUTE 'CREATE POLICY read_rows ON evidence FOR SELECT TO lectern_app USING ' || format(allowed, 'read');
  EXECUTE 'CREATE POLICY add_rows ON evidence FOR INSERT TO lectern_app WITH CHECK (created_by = (SELECT app_user_id()) AND '
    || format(allowed, 'ask') || ')';
  EXECUTE 'CREATE POLICY change_rows ON evidence FOR UPDATE TO lectern_app USING ' || format(allowed, 'ask')
    || ' WITH CHECK ' || format(allowed, 'ask');
END
$$;
--> statement-breakpoint
CREATE POLICY hide_deleted ON evidence AS RESTRICTIVE FOR ALL TO lectern_app
  USING (document_id NOT IN (SELECT app_hidden_documents())) WITH CHECK (true);
--> statement-breakpoint
-- Compares the version of the text with that of the document. The lock makes a concurrent change of the text wait, so that
-- it finds this row.
CREATE FUNCTION evidence_is_stale() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  current integer;
BEGIN
  SELECT text_version INTO current FROM documents WHERE id = NEW.document_id FOR SHARE;
  IF NEW.text_version <> current THEN
    NEW.is_stale := true;
    PERFORM pg_notify('lectern_evidence', '');
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER evidence_is_stale BEFORE INSERT ON evidence FOR EACH ROW EXECUTE FUNCTION evidence_is_stale();
--> statement-breakpoint
-- The server searches the quotes of stale rows in the new text.
CREATE FUNCTION document_outdates_evidence() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE evidence SET is_stale = true WHERE document_id = NEW.id;
  IF FOUND THEN PERFORM pg_notify('lectern_evidence', ''); END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- The title and the abstract are the text of a paper without a file and a text.
CREATE TRIGGER document_outdates_evidence AFTER UPDATE ON documents FOR EACH ROW
  WHEN (OLD.text_version <> NEW.text_version
    OR NEW.extracted_text IS NULL AND (OLD.title, OLD.abstract, OLD.source_url) IS DISTINCT FROM (NEW.title, NEW.abstract, NEW.source_url))
  EXECUTE FUNCTION document_outdates_evidence();
