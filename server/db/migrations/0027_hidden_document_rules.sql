-- Asked for each row whether its document is seen, the database read all documents of the person first: thirty milliseconds
-- for every question about one paper among twenty thousand. What is deleted is little, so that is what is read, once a statement.
CREATE FUNCTION app_hidden_documents() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 100 SET search_path = public, pg_temp AS $$
  SELECT id FROM documents WHERE owner_id = app_user_id() AND deleted_at IS NOT NULL AND NOT app_sees_deleted()
$$;
--> statement-breakpoint
ALTER POLICY own_rows ON chunks USING (owner_id = app_user_id() AND document_id NOT IN (SELECT app_hidden_documents()));
--> statement-breakpoint
ALTER POLICY own_rows ON chunk_sentences USING (owner_id = app_user_id() AND document_id NOT IN (SELECT app_hidden_documents()));
--> statement-breakpoint
ALTER POLICY own_rows ON jobs USING (owner_id = app_user_id()
  AND (document_id IS NULL OR document_id NOT IN (SELECT app_hidden_documents())));
