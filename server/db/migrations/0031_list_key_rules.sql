-- A search in an order that is asked for needs no rank, and only the documents that pass the filters are ranked.
-- What fits the words, as it stands in the indexes.
CREATE FUNCTION search_hits(project uuid, asked tsquery, part text) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 20000 SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  SELECT s.document_id FROM document_search s
  WHERE s.owner_id = (SELECT app_user_id()) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
    AND (s.words LIKE part OR s.whole @@ asked)
$$;
--> statement-breakpoint
-- Like the one before, for these documents alone; that few fit the words is said of all of them.
CREATE FUNCTION search_documents(project uuid, asked tsquery, part text, among uuid[])
RETURNS TABLE (document_id uuid, rank real, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 20000 SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  WITH found AS MATERIALIZED (
    SELECT s.document_id, s.created_at,
      CASE WHEN s.words LIKE part THEN 0.5 ELSE 0 END + ts_rank(s.head, asked) AS head_rank
    FROM document_search s
    WHERE s.owner_id = (SELECT app_user_id()) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
      AND (s.words LIKE part OR s.whole @@ asked) AND (s.document_id IN (SELECT unnest(among))) IS TRUE
  ), counted AS MATERIALIZED (
    SELECT count(*) AS n FROM (
      SELECT FROM document_search s
      WHERE s.owner_id = (SELECT app_user_id()) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
        AND (s.words LIKE part OR s.whole @@ asked) LIMIT 101
    ) few
  )
  SELECT f.document_id, (f.head_rank + CASE WHEN counted.n <= 100
    THEN (SELECT ts_rank(s.whole, asked) FROM document_search s WHERE s.document_id = f.document_id)
    ELSE 0 END)::real, f.created_at
  FROM found f, counted
$$;
--> statement-breakpoint
-- A page of what fits the words in all projects, with the count, in the order of search_page.
CREATE FUNCTION search_everywhere(asked tsquery, part text, parts text[], wanted integer, skipped integer)
RETURNS TABLE (document_id uuid, total integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp SET enable_seqscan = off AS $$
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
    WHERE s.owner_id = (SELECT app_user_id()) AND s.deleted_at IS NULL
      AND (s.words LIKE search_everywhere.part OR s.whole @@ search_everywhere.asked)
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
-- Journals that hold a text in name, publisher or ISSN-L, with what a list is sorted and cleaned by. The index of parts of
-- words is not used under row-level security; whoever is signed in may read every journal.
CREATE FUNCTION search_journals(pattern text) RETURNS TABLE (id uuid, name_key text, openalex_key text)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 1000 SET search_path = public, pg_temp AS $$
  SELECT j.id, j.name_key, j.openalex_key FROM journals j
  WHERE (SELECT app_user_id()) IS NOT NULL
    AND lower(j.name || E'\u0001' || coalesce(j.publisher, '') || E'\u0001' || coalesce(j.issn_l, '')) LIKE lower(pattern)
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION search_journals(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION search_journals(text) TO lectern_app;
--> statement-breakpoint
CREATE INDEX journals_words ON journals USING gin (lower(name || E'\u0001' || coalesce(publisher, '') || E'\u0001' || coalesce(issn_l, '')) gin_trgm_ops);
