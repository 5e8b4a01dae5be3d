-- A scan of both indexes compares the words of a whole page of the table again if one of its rows matches by its letters, and
-- reads the tsvector of every row of that page. Two scans read no tsvector. The results are unchanged.
CREATE OR REPLACE FUNCTION search_page(project uuid, asked tsquery, part text, parts text[], wanted integer, skipped integer)
 RETURNS TABLE(document_id uuid, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path = public, pg_temp
 SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  n integer;
  first_ones uuid[];
  taken integer;
BEGIN
  SELECT count(*) INTO n FROM (
    SELECT s.document_id FROM document_search s
    WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned('read'))) AND s.deleted_at IS NULL AND s.project_id = search_page.project
      AND s.whole @@ search_page.asked
    UNION
    SELECT s.document_id FROM document_search s
    WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned('read'))) AND s.deleted_at IS NULL AND s.project_id = search_page.project
      AND s.words LIKE search_page.part
  ) hits;
  IF n <= 1000 THEN
    RETURN QUERY SELECT f.document_id, n FROM search_documents(search_page.project, search_page.asked, search_page.part) f
      ORDER BY f.rank DESC, f.created_at DESC, f.document_id LIMIT search_page.wanted OFFSET search_page.skipped;
    RETURN;
  END IF;
  first_ones := ARRAY(
    SELECT r.document_id FROM (
      SELECT s.document_id, s.words, s.head, s.created_at FROM document_search s
      WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned('read'))) AND s.deleted_at IS NULL AND s.project_id = search_page.project
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
CREATE OR REPLACE FUNCTION search_hits(project uuid, asked tsquery, part text)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20000
 SET search_path = public, pg_temp
 SET enable_seqscan = off
AS $$
  SELECT s.document_id FROM document_search s
  WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned('read'))) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
    AND s.whole @@ asked
  UNION
  SELECT s.document_id FROM document_search s
  WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned('read'))) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
    AND s.words LIKE part
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_everywhere(asked tsquery, part text, parts text[], wanted integer, skipped integer)
 RETURNS TABLE(document_id uuid, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path = public, pg_temp
 SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  n integer;
  first_ones uuid[];
  others uuid[];
BEGIN
  WITH hits AS MATERIALIZED (
    SELECT s.document_id, s.created_at,
      s.words LIKE search_everywhere.parts[1] AND s.words LIKE ALL (search_everywhere.parts) AS is_first
    FROM document_search s
    WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned('read'))) AND s.deleted_at IS NULL
      AND s.whole @@ search_everywhere.asked
    UNION
    SELECT s.document_id, s.created_at,
      s.words LIKE search_everywhere.parts[1] AND s.words LIKE ALL (search_everywhere.parts) AS is_first
    FROM document_search s
    WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned('read'))) AND s.deleted_at IS NULL
      AND s.words LIKE search_everywhere.part
  ), firsts AS MATERIALIZED (
    SELECT h.document_id FROM hits h WHERE h.is_first ORDER BY h.created_at DESC, h.document_id LIMIT 1000
  )
  SELECT (SELECT count(*) FROM hits), ARRAY(SELECT f.document_id FROM firsts f), ARRAY(
    SELECT h.document_id FROM hits h WHERE h.document_id NOT IN (SELECT f.document_id FROM firsts f)
    ORDER BY h.created_at DESC, h.document_id
    LIMIT least(search_everywhere.wanted, greatest(0, search_everywhere.skipped + search_everywhere.wanted - (SELECT count(*) FROM firsts)))
    OFFSET greatest(0, search_everywhere.skipped - (SELECT count(*) FROM firsts)))
  INTO n, first_ones, others;
  IF n <= 1000 THEN
    RETURN QUERY SELECT f.document_id, n FROM search_documents(NULL, search_everywhere.asked, search_everywhere.part) f
      ORDER BY f.rank DESC, f.created_at DESC, f.document_id LIMIT search_everywhere.wanted OFFSET search_everywhere.skipped;
    RETURN;
  END IF;
  RETURN QUERY SELECT ranked.id, n FROM (
    SELECT s.document_id AS id FROM document_search s WHERE s.document_id = ANY (first_ones)
    ORDER BY CASE WHEN s.words LIKE search_everywhere.part THEN 0.5 ELSE 0 END + ts_rank(s.head, search_everywhere.asked) DESC,
      s.created_at DESC, s.document_id
    LIMIT search_everywhere.wanted OFFSET search_everywhere.skipped
  ) ranked;
  RETURN QUERY SELECT one, n FROM unnest(others) WITH ORDINALITY AS o (one, place) ORDER BY place;
END
$$;
--> statement-breakpoint
-- An API key that is limited to projects does not count documents without a project.
DO $$
BEGIN
  EXECUTE replace(pg_get_functiondef('search_any(uuid, tsquery[])'::regprocedure), 's.created_by = (SELECT app_user_id()))',
    's.created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned(''read'')))');
END
$$;
