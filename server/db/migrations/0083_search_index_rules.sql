-- The rules of the index of passages. They are those of the document.
ALTER TABLE indexed_documents ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE chunk_terms ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, UPDATE ON indexed_documents TO lectern_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON chunk_terms TO lectern_app;
--> statement-breakpoint
-- Rows without a project: of their creator, and for API keys without a restriction to projects.
DO $$
DECLARE
  one text;
  allowed text := '(project_id = ANY (ARRAY (SELECT app_projects(%1$L))) OR project_id IS NULL AND created_by = (SELECT app_user_id())'
    ' AND (SELECT app_key_unassigned(%1$L)))';
BEGIN
  FOREACH one IN ARRAY ARRAY['indexed_documents', 'chunk_terms'] LOOP
    EXECUTE format('CREATE POLICY read_rows ON %I FOR SELECT TO lectern_app USING ', one) || format(allowed, 'read');
    EXECUTE format('CREATE POLICY change_rows ON %I FOR UPDATE TO lectern_app USING ', one) || format(allowed, 'edit')
      || ' WITH CHECK ' || format(allowed, 'edit');
    EXECUTE format('CREATE POLICY hide_deleted ON %I AS RESTRICTIVE FOR ALL TO lectern_app '
      'USING (document_id NOT IN (SELECT app_hidden_documents())) WITH CHECK (true)', one);
  END LOOP;
  EXECUTE 'CREATE POLICY add_rows ON chunk_terms FOR INSERT TO lectern_app WITH CHECK ' || format(allowed, 'edit');
  EXECUTE 'CREATE POLICY remove_rows ON chunk_terms FOR DELETE TO lectern_app USING ' || format(allowed, 'edit');
END
$$;
--> statement-breakpoint
CREATE SEQUENCE indexed_document_changes;
--> statement-breakpoint
CREATE FUNCTION count_index_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  NEW.change := nextval('indexed_document_changes');
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER count_index_change BEFORE INSERT OR UPDATE ON indexed_documents
  FOR EACH ROW EXECUTE FUNCTION count_index_change();
--> statement-breakpoint
-- Each document has a row. The server builds the index of stale documents in the background, newest change first.
CREATE FUNCTION document_needs_index() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO indexed_documents (document_id, created_by, project_id) VALUES (NEW.id, NEW.created_by, NEW.project_id)
    ON CONFLICT (document_id) DO UPDATE SET is_stale = true;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_needs_index_first AFTER INSERT ON documents
  FOR EACH ROW EXECUTE FUNCTION document_needs_index();
--> statement-breakpoint
-- The title and the abstract are the only searched text of a paper without a text.
CREATE TRIGGER document_needs_index AFTER UPDATE ON documents FOR EACH ROW
  WHEN (OLD.text_version <> NEW.text_version OR (OLD.extracted_text IS NULL) <> (NEW.extracted_text IS NULL)
    OR NEW.extracted_text IS NULL AND (OLD.title, OLD.abstract) IS DISTINCT FROM (NEW.title, NEW.abstract))
  EXECUTE FUNCTION document_needs_index();
--> statement-breakpoint
CREATE FUNCTION outdate_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.vectorized_at := NULL;
  NEW.embedding_model := NULL;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_vectors_outdate BEFORE UPDATE ON documents FOR EACH ROW
  WHEN (NEW.extracted_text IS NULL AND OLD.vectorized_at IS NOT NULL
    AND (OLD.title, OLD.abstract) IS DISTINCT FROM (NEW.title, NEW.abstract))
  EXECUTE FUNCTION outdate_vectors();
--> statement-breakpoint
INSERT INTO indexed_documents (document_id, created_by, project_id) SELECT id, created_by, project_id FROM documents;
--> statement-breakpoint
-- The index moves with its document, before the rows of the former definition.
DO $$
BEGIN
  EXECUTE replace(pg_get_functiondef('move_document_rows()'::regprocedure), 'UPDATE document_search SET',
    'UPDATE indexed_documents SET project_id = NEW.project_id, created_by = NEW.created_by WHERE document_id = NEW.id;
  UPDATE chunk_terms SET project_id = NEW.project_id, created_by = NEW.created_by WHERE document_id = NEW.id;
  UPDATE document_search SET');
END
$$;
