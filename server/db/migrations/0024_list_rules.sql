-- A search that fits thousands of documents would be ranked for a fifth of a second, though the count and one page are all
-- that is shown. Up to a thousand are ranked whole, as ever; of more, those whose title, filename, journal, DOI or keywords
-- hold all words come first, the newest thousand of them by rank, and then the others, newest first.
-- This one walks through the documents by age; without bitmaps, because one would gather and sort all that fit.
CREATE FUNCTION search_newest(project uuid, asked tsquery, part text, without uuid[], wanted integer, skipped integer)
RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
  SELECT s.document_id FROM document_search s
  WHERE s.owner_id = app_user_id() AND s.project_id = project
    AND (s.words LIKE part OR s.whole @@ asked) AND s.document_id <> ALL (without)
  ORDER BY s.created_at DESC, s.document_id LIMIT wanted OFFSET skipped
$$;
--> statement-breakpoint
CREATE FUNCTION search_page(project uuid, asked tsquery, part text, parts text[], wanted integer, skipped integer)
RETURNS TABLE (document_id uuid, total integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  n integer;
  first_ones uuid[];
  taken integer;
BEGIN
  SELECT count(*) INTO n FROM document_search s
  WHERE s.owner_id = app_user_id() AND s.project_id = search_page.project
    AND (s.words LIKE search_page.part OR s.whole @@ search_page.asked);
  IF n <= 1000 THEN
    RETURN QUERY SELECT f.document_id, n FROM search_documents(search_page.project, search_page.asked, search_page.part) f
      ORDER BY f.rank DESC, f.created_at DESC, f.document_id LIMIT search_page.wanted OFFSET search_page.skipped;
    RETURN;
  END IF;
  first_ones := ARRAY(
    SELECT r.document_id FROM (
      SELECT s.document_id, s.words, s.head, s.created_at FROM document_search s
      WHERE s.owner_id = app_user_id() AND s.project_id = search_page.project
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
-- The index of keywords is not used under row-level security either.
CREATE FUNCTION documents_of_keywords(asked text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 500 SET search_path = public, pg_temp AS $$
  SELECT id FROM documents WHERE owner_id = app_user_id() AND keywords && asked
$$;
