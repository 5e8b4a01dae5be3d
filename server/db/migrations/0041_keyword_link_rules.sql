-- Keywords that differ only in case are one filter. Each keyword of a document is linked as a tag, and the names of tags are
-- unique in any case: the filter looks up the tags. Some links are missing: earlier versions compared keywords with the
-- lower case of JavaScript, which differs from PostgreSQL's in letters such as Σ and İ.
INSERT INTO tags (owner_id, name)
  SELECT DISTINCT d.owner_id, k FROM documents d, unnest(d.keywords) AS k
  WHERE k <> '' AND NOT EXISTS (SELECT FROM tags t WHERE t.owner_id = d.owner_id AND lower(t.name) = lower(k))
  ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO document_tags (document_id, tag_id)
  SELECT DISTINCT d.id, t.id FROM documents d, unnest(d.keywords) AS k, tags t
  WHERE t.owner_id = d.owner_id AND lower(t.name) = lower(k)
    AND NOT EXISTS (SELECT FROM document_tags l WHERE l.document_id = d.id AND l.tag_id = t.id);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION documents_of_keywords(asked text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 500 SET search_path = public, pg_temp AS $$
  SELECT DISTINCT l.document_id FROM tags t JOIN document_tags l ON l.tag_id = t.id
  WHERE t.owner_id = app_user_id() AND lower(t.name) IN (SELECT lower(one) FROM unnest(asked) AS one)
    AND l.document_id NOT IN (SELECT app_hidden_documents())
$$;
