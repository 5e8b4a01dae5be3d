-- A permanent deletion of papers also removes the passages that models read in them.
CREATE FUNCTION documents_remove_passages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  removed text[] := ARRAY (SELECT id::text FROM gone);
BEGIN
  UPDATE messages SET passages = (
      SELECT coalesce(jsonb_agg(one ORDER BY place), '[]') FROM jsonb_array_elements(passages) WITH ORDINALITY AS listed (one, place)
      WHERE NOT one ->> 'document_id' = ANY (removed))
    WHERE jsonb_path_query_array(passages, '$[*].document_id') ?| removed;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER documents_remove_passages AFTER DELETE ON documents REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION documents_remove_passages();
--> statement-breakpoint
-- Papers that were deleted before.
UPDATE messages SET passages = (
    SELECT coalesce(jsonb_agg(one ORDER BY place), '[]') FROM jsonb_array_elements(passages) WITH ORDINALITY AS listed (one, place)
    WHERE EXISTS (SELECT FROM documents d WHERE d.id::text = one ->> 'document_id'))
  WHERE EXISTS (SELECT FROM jsonb_array_elements(passages) AS one
    WHERE NOT EXISTS (SELECT FROM documents d WHERE d.id::text = one ->> 'document_id'));
