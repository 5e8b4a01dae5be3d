-- The arXiv id without its version and subject class, as arxivId in shared/references/identifiers.ts returns it:
-- 'math.GT/0309136' and 'math/0309136' are the same paper.
CREATE OR REPLACE FUNCTION arxiv_id_of(reference jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(regexp_replace(lower((regexp_match(
    concat_ws(' ', reference ->> 'DOI', reference ->> 'URL', reference ->> 'number', reference ->> 'archive_location',
      CASE WHEN lower(reference ->> 'archive') = 'arxiv' THEN 'arxiv:' || (reference ->> 'archive_location') END),
    '(?:10\.48550/arxiv\.|arxiv\.org/(?:abs|pdf)/|arxiv:\s*)((?:[a-z-]+(?:\.[a-z-]+)?/[0-9]{7})|[0-9]{4}\.[0-9]{4,5})', 'i'))[1] COLLATE "C"), '\.[a-z-]+/', '/'), 50)
$$;
--> statement-breakpoint
-- The next comparison of duplicates reads the changed papers with the new id.
WITH changed AS (
  UPDATE documents SET arxiv_id = arxiv_id_of(reference)
    WHERE reference::text ILIKE '%arxiv%' AND arxiv_id IS DISTINCT FROM arxiv_id_of(reference) RETURNING id
)
UPDATE duplicate_checks SET is_waiting = true, changes = changes + 1, claimed_at = NULL
  FROM changed WHERE document_id = changed.id;
