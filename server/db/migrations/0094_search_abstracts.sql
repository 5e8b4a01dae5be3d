-- The search of documents also finds the words in the abstract of a document without a text.
CREATE OR REPLACE FUNCTION index_document(doc documents)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path = public, pg_temp
AS $$
DECLARE
  head_words tsvector :=
    setweight(to_tsvector('english', search_plain(left(coalesce(doc.title, doc.filename), 5000))), 'A') ||
    setweight(to_tsvector('english', search_plain(left(array_to_string(doc.keywords, ' '), 20000))), 'B') ||
    setweight(to_tsvector('english', search_plain(left(concat_ws(' ', doc.filename, doc.journal_name, doc.doi_link), 5000))), 'C');
  all_words tsvector := head_words;
  bound integer;
BEGIN
  FOREACH bound IN ARRAY ARRAY[500000, 100000, 20000] LOOP
    BEGIN
      all_words := head_words || setweight(to_tsvector('english', search_plain(
        regexp_replace(left(coalesce(nullif(doc.extracted_text, ''), doc.abstract, ''), bound), '\[Page \d+\]', ' ', 'g'))), 'D') || search_authors(doc.authors);
      EXIT;
    EXCEPTION WHEN program_limit_exceeded THEN
      CONTINUE;
    END;
  END LOOP;
  INSERT INTO document_search (document_id, created_by, project_id, created_at, words, head, whole)
  VALUES (doc.id, doc.created_by, doc.project_id, doc.created_at, search_words(doc.title, doc.filename, doc.journal_name, doc.doi_link, doc.keywords, doc.authors),
    head_words || search_authors(doc.authors), all_words)
  ON CONFLICT (document_id) DO UPDATE SET words = excluded.words, head = excluded.head, whole = excluded.whole;
END
$$;
--> statement-breakpoint
DROP TRIGGER document_search_update ON documents;
--> statement-breakpoint
CREATE TRIGGER document_search_update AFTER UPDATE ON documents FOR EACH ROW
  WHEN ((OLD.title, OLD.filename, OLD.journal_name, OLD.doi_link, OLD.keywords, OLD.authors, coalesce(nullif(OLD.extracted_text, ''), OLD.abstract))
    IS DISTINCT FROM (NEW.title, NEW.filename, NEW.journal_name, NEW.doi_link, NEW.keywords, NEW.authors, coalesce(nullif(NEW.extracted_text, ''), NEW.abstract)))
  EXECUTE FUNCTION index_changed_document();
--> statement-breakpoint
-- To add the abstracts of 50,000 documents to the index one by one takes ten times as long as to build it.
DROP INDEX document_search_whole;
--> statement-breakpoint
UPDATE document_search s SET whole = s.whole || setweight(to_tsvector('english', search_plain(left(d.abstract, 20000))), 'D')
FROM documents d WHERE d.id = s.document_id AND nullif(d.extracted_text, '') IS NULL AND d.abstract IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "document_search_whole" ON "document_search" USING gin ("whole");
--> statement-breakpoint
-- Returns the documents that match at least one of the queries. A query that fewer documents match adds more to the rank.
CREATE FUNCTION search_any(project uuid, asked tsquery[])
 RETURNS TABLE(document_id uuid, rank real, created_at timestamptz)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20000
 SET search_path = public, pg_temp
 SET enable_seqscan = off
AS $$
  WITH hits AS MATERIALIZED (
    SELECT w.place, h.document_id, h.created_at
    FROM unnest(asked) WITH ORDINALITY AS w (query, place)
    CROSS JOIN LATERAL (
      SELECT s.document_id, s.created_at FROM document_search s
      WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id())) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
        AND s.whole @@ w.query
    ) h
  ), weights AS (
    SELECT h.place, ln(1 + (SELECT count(DISTINCT a.document_id) FROM hits a)::float8 / count(*)) AS weight FROM hits h GROUP BY h.place
  )
  SELECT h.document_id, sum(w.weight)::real, h.created_at FROM hits h JOIN weights w ON w.place = h.place
  GROUP BY h.document_id, h.created_at
$$;
