-- Members who read a document read its edits. The trigger below writes them.
ALTER TABLE document_edits ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
REVOKE ALL ON document_edits FROM lectern_app;
--> statement-breakpoint
GRANT SELECT ON document_edits TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_rows ON document_edits FOR SELECT TO lectern_app
  USING (EXISTS (SELECT FROM documents d WHERE d.id = document_id));
--> statement-breakpoint
-- An analysis leaves the values of edited fields, so a changed value of an edited field is an edit by a user.
CREATE FUNCTION note_document_edit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  editor text := app_user_id();
  former jsonb := jsonb_build_object('title', OLD.title, 'authors', OLD.authors, 'doi_link', OLD.doi_link,
    'publication_date', OLD.publication_date, 'journal_name', OLD.journal_name, 'summary', OLD.summary,
    'insights', OLD.insights, 'lifestyle_recommendations', OLD.lifestyle_recommendations,
    'evidence_level', OLD.evidence_level, 'keywords', OLD.keywords, 'social_post', OLD.social_post);
  present jsonb := jsonb_build_object('title', NEW.title, 'authors', NEW.authors, 'doi_link', NEW.doi_link,
    'publication_date', NEW.publication_date, 'journal_name', NEW.journal_name, 'summary', NEW.summary,
    'insights', NEW.insights, 'lifestyle_recommendations', NEW.lifestyle_recommendations,
    'evidence_level', NEW.evidence_level, 'keywords', NEW.keywords, 'social_post', NEW.social_post);
BEGIN
  IF editor IS NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO document_edits (document_id, field, former, run_id, edited_by)
    SELECT NEW.id, name, former -> name, CASE WHEN name = ANY (OLD.edited_fields) THEN NULL ELSE OLD.run_id END, editor
    FROM jsonb_object_keys(former) AS fields (name)
    WHERE name = ANY (NEW.edited_fields) AND former -> name IS DISTINCT FROM present -> name;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_note_edit AFTER UPDATE OF title, authors, doi_link, publication_date, journal_name, summary, insights,
  lifestyle_recommendations, evidence_level, keywords, social_post ON documents
  FOR EACH ROW WHEN (OLD.analyzed_at IS NOT NULL AND cardinality(NEW.edited_fields) > 0)
  EXECUTE FUNCTION note_document_edit();
