-- A job of a document that leaves its project belongs to the creator of the document, as the document does.
CREATE OR REPLACE FUNCTION move_document_rows() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE document_search SET project_id = NEW.project_id, created_by = NEW.created_by WHERE document_id = NEW.id;
  UPDATE chunks SET project_id = NEW.project_id, created_by = NEW.created_by WHERE document_id = NEW.id;
  UPDATE chunk_sentences SET project_id = NEW.project_id, created_by = NEW.created_by WHERE document_id = NEW.id;
  IF NEW.project_id IS NOT DISTINCT FROM OLD.project_id AND NEW.project_id IS NOT NULL THEN
    RETURN NULL;
  END IF;
  UPDATE jobs SET project_id = NEW.project_id,
    created_by = CASE WHEN NEW.project_id IS NULL THEN NEW.created_by ELSE created_by END WHERE document_id = NEW.id;
  INSERT INTO tags (project_id, created_by, name)
    SELECT NEW.project_id, NEW.created_by, t.name FROM document_tags l JOIN tags t ON t.id = l.tag_id WHERE l.document_id = NEW.id
    ON CONFLICT DO NOTHING;
  UPDATE document_tags l SET tag_id = n.id FROM tags t, tags n
    WHERE l.document_id = NEW.id AND t.id = l.tag_id AND lower(n.name) = lower(t.name) AND n.id <> t.id
      AND (n.project_id = NEW.project_id
        OR NEW.project_id IS NULL AND n.project_id IS NULL AND n.created_by = NEW.created_by);
  RETURN NULL;
END
$$;
--> statement-breakpoint
UPDATE jobs SET created_by = d.created_by FROM documents d
  WHERE d.id = jobs.document_id AND d.project_id IS NULL AND jobs.project_id IS NULL AND jobs.created_by IS DISTINCT FROM d.created_by;
