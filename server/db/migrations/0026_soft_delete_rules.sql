-- What is deleted lies thirty days where it was, and is hidden by the database itself: nothing that reads for a person can
-- forget to leave it out. Only a transaction that says so (app.sees_deleted) sees it: to delete, to restore, to export.
CREATE FUNCTION app_sees_deleted() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(current_setting('app.sees_deleted', true), '') = 'on' $$;
--> statement-breakpoint
DO $$
DECLARE
  hidden text;
BEGIN
  FOREACH hidden IN ARRAY ARRAY['projects', 'documents', 'document_search'] LOOP
    EXECUTE format('ALTER POLICY own_rows ON %I USING (owner_id = app_user_id() AND (deleted_at IS NULL OR app_sees_deleted()))', hidden);
  END LOOP;
  -- Whoever does not see the document does not see what was made from it. The rules of documents hold in here as well.
  FOREACH hidden IN ARRAY ARRAY['chunks', 'chunk_sentences'] LOOP
    EXECUTE format('ALTER POLICY own_rows ON %I USING (owner_id = app_user_id() AND EXISTS (SELECT 1 FROM documents WHERE documents.id = %I.document_id))', hidden, hidden);
  END LOOP;
END
$$;
--> statement-breakpoint
ALTER POLICY own_rows ON jobs USING (owner_id = app_user_id()
  AND (document_id IS NULL OR EXISTS (SELECT 1 FROM documents WHERE documents.id = jobs.document_id)));
--> statement-breakpoint
ALTER POLICY own_rows ON research_recommendation USING (owner_id = app_user_id()
  AND EXISTS (SELECT 1 FROM projects WHERE projects.id = research_recommendation.project_id));
--> statement-breakpoint
ALTER POLICY own_rows ON user_rss_subscription USING (user_id = app_user_id()
  AND EXISTS (SELECT 1 FROM projects WHERE projects.id = user_rss_subscription.project_id));
--> statement-breakpoint
-- A deleted project takes no document, as if it were not there; held against its deletion until the document is in it.
CREATE FUNCTION document_needs_its_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone timestamptz;
BEGIN
  SELECT deleted_at INTO gone FROM projects WHERE id = NEW.project_id FOR KEY SHARE;
  IF gone IS NOT NULL THEN
    RAISE EXCEPTION 'The project is deleted.'
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'documents_project_of_owner', TABLE = 'documents';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_needs_its_project BEFORE INSERT OR UPDATE OF project_id, deleted_at ON documents FOR EACH ROW
  WHEN (NEW.project_id IS NOT NULL AND NEW.deleted_at IS NULL) EXECUTE FUNCTION document_needs_its_project();
--> statement-breakpoint
CREATE FUNCTION index_deleted_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE document_search SET deleted_at = NEW.deleted_at WHERE document_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_search_delete AFTER UPDATE OF deleted_at ON documents FOR EACH ROW
  WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION index_deleted_document();
--> statement-breakpoint
-- The functions that run as the owner of the tables leave out what is deleted themselves.
CREATE OR REPLACE FUNCTION search_documents(project uuid, asked tsquery, part text)
RETURNS TABLE (document_id uuid, rank real, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 20000 SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  WITH found AS MATERIALIZED (
    SELECT s.document_id, s.created_at,
      CASE WHEN s.words LIKE part THEN 0.5 ELSE 0 END + ts_rank(s.head, asked) AS head_rank
    FROM document_search s
    WHERE s.owner_id = app_user_id() AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
      AND (s.words LIKE part OR s.whole @@ asked)
  ), counted AS MATERIALIZED (SELECT count(*) AS n FROM found)
  SELECT f.document_id, (f.head_rank + CASE WHEN counted.n <= 100
    THEN (SELECT ts_rank(s.whole, asked) FROM document_search s WHERE s.document_id = f.document_id)
    ELSE 0 END)::real, f.created_at
  FROM found f, counted
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_newest(project uuid, asked tsquery, part text, without uuid[], wanted integer, skipped integer)
RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
  SELECT s.document_id FROM document_search s
  WHERE s.owner_id = app_user_id() AND s.deleted_at IS NULL AND s.project_id = project
    AND (s.words LIKE part OR s.whole @@ asked) AND s.document_id <> ALL (without)
  ORDER BY s.created_at DESC, s.document_id LIMIT wanted OFFSET skipped
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_page(project uuid, asked tsquery, part text, parts text[], wanted integer, skipped integer)
RETURNS TABLE (document_id uuid, total integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  n integer;
  first_ones uuid[];
  taken integer;
BEGIN
  SELECT count(*) INTO n FROM document_search s
  WHERE s.owner_id = app_user_id() AND s.deleted_at IS NULL AND s.project_id = search_page.project
    AND (s.words LIKE search_page.part OR s.whole @@ search_page.asked);
  IF n <= 1000 THEN
    RETURN QUERY SELECT f.document_id, n FROM search_documents(search_page.project, search_page.asked, search_page.part) f
      ORDER BY f.rank DESC, f.created_at DESC, f.document_id LIMIT search_page.wanted OFFSET search_page.skipped;
    RETURN;
  END IF;
  first_ones := ARRAY(
    SELECT r.document_id FROM (
      SELECT s.document_id, s.words, s.head, s.created_at FROM document_search s
      WHERE s.owner_id = app_user_id() AND s.deleted_at IS NULL AND s.project_id = search_page.project
        AND s.words LIKE search_page.parts[1] AND s.words LIKE ALL (search_page.parts)
        AND (s.words LIKE search_page.part OR s.whole @@ search_page.asked)
      ORDER BY s.created_at DESC LIMIT 1000
    ) r
    ORDER BY CASE WHEN r.words LIKE search_page.part THEN 0.5 ELSE 0 END + ts_rank(r.head, search_page.asked) DESC,
      r.created_at DESC, r.document_id
  );
  taken := greatest(0, least(search_page.wanted, cardinality(first_ones) - search_page.skipped));
  RETURN QUERY SELECT one.id, n
    FROM unnest(first_ones[search_page.skipped + 1 : search_page.skipped + search_page.wanted]) WITH ORDINALITY one (id, place)
    ORDER BY one.place;
  IF taken < search_page.wanted THEN
    RETURN QUERY SELECT found.id, n FROM search_newest(search_page.project, search_page.asked, search_page.part, first_ones,
      search_page.wanted - taken, greatest(0, search_page.skipped - cardinality(first_ones))) found (id);
  END IF;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION documents_of_keywords(asked text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 500 SET search_path = public, pg_temp AS $$
  SELECT id FROM documents WHERE owner_id = app_user_id() AND deleted_at IS NULL AND keywords && asked
$$;
