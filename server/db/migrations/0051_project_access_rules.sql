-- Access by membership. Rows of a project: the right in it. Rows without a project: the account that created them. The
-- projects of the caller are read once for each statement; a function call for each row is about 48 times slower.
DO $$
DECLARE
  one text;
  allowed text := '(project_id = ANY (ARRAY (SELECT app_projects(%L))) OR project_id IS NULL AND created_by = (SELECT app_user_id()))';
BEGIN
  FOREACH one IN ARRAY ARRAY['tags', 'chunks', 'chunk_sentences', 'documents'] LOOP
    EXECUTE format('CREATE POLICY read_rows ON %I FOR SELECT TO lectern_app USING ', one) || format(allowed, 'read');
    EXECUTE format('CREATE POLICY add_rows ON %I FOR INSERT TO lectern_app WITH CHECK ', one) || format(allowed, 'edit');
    EXECUTE format('CREATE POLICY change_rows ON %I FOR UPDATE TO lectern_app USING ', one) || format(allowed, 'edit')
      || ' WITH CHECK ' || format(allowed, 'edit');
    EXECUTE format('CREATE POLICY remove_rows ON %I FOR DELETE TO lectern_app USING ', one) || format(allowed, 'edit');
  END LOOP;
END
$$;
--> statement-breakpoint
-- Nobody adds documents in the name of another account.
ALTER POLICY add_rows ON documents WITH CHECK (created_by = (SELECT app_user_id())
  AND (project_id IS NULL OR project_id = ANY (ARRAY (SELECT app_projects('edit')))));
--> statement-breakpoint
-- Deleted documents are hidden with their chunks.
CREATE POLICY hide_deleted ON documents AS RESTRICTIVE FOR ALL TO lectern_app
  USING (deleted_at IS NULL OR app_sees_deleted()) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY hide_deleted ON chunks AS RESTRICTIVE FOR ALL TO lectern_app
  USING (document_id NOT IN (SELECT app_hidden_documents())) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY hide_deleted ON chunk_sentences AS RESTRICTIVE FOR ALL TO lectern_app
  USING (document_id NOT IN (SELECT app_hidden_documents())) WITH CHECK (true);
--> statement-breakpoint
-- Triggers write the search index, and the server itself writes jobs and events.
REVOKE INSERT, UPDATE, DELETE ON document_search, jobs, events FROM lectern_app;
--> statement-breakpoint
CREATE POLICY read_rows ON document_search FOR SELECT TO lectern_app
  USING ((project_id = ANY (ARRAY (SELECT app_projects('read'))) OR project_id IS NULL AND created_by = (SELECT app_user_id()))
    AND (deleted_at IS NULL OR app_sees_deleted()));
--> statement-breakpoint
CREATE POLICY read_rows ON jobs FOR SELECT TO lectern_app
  USING ((project_id = ANY (ARRAY (SELECT app_projects('read'))) OR project_id IS NULL AND created_by = (SELECT app_user_id()))
    AND (document_id IS NULL OR document_id NOT IN (SELECT app_hidden_documents())));
--> statement-breakpoint
CREATE POLICY read_rows ON events FOR SELECT TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('read'))) OR project_id IS NULL AND owner_id = (SELECT app_user_id()));
--> statement-breakpoint
CREATE POLICY read_rows ON research_recommendation FOR SELECT TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('read'))));
--> statement-breakpoint
CREATE POLICY add_rows ON research_recommendation FOR INSERT TO lectern_app
  WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('edit'))));
--> statement-breakpoint
CREATE POLICY change_rows ON research_recommendation FOR UPDATE TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('edit')))) WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('edit'))));
--> statement-breakpoint
CREATE POLICY remove_rows ON research_recommendation FOR DELETE TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('edit'))));
--> statement-breakpoint
-- The rule of journals applies inside: members do not see that another member follows a personal journal.
CREATE POLICY read_rows ON user_rss_subscription FOR SELECT TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('read'))) AND EXISTS (SELECT FROM journals WHERE journals.id = journal_id));
--> statement-breakpoint
CREATE POLICY add_rows ON user_rss_subscription FOR INSERT TO lectern_app
  WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('edit'))) AND EXISTS (SELECT FROM journals WHERE journals.id = journal_id));
--> statement-breakpoint
CREATE POLICY change_rows ON user_rss_subscription FOR UPDATE TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('edit')))) WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('edit'))));
--> statement-breakpoint
CREATE POLICY remove_rows ON user_rss_subscription FOR DELETE TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('edit'))));
--> statement-breakpoint
-- A request inserts a project without reading it back, because its owner becomes a member after the insert.
CREATE POLICY read_rows ON projects FOR SELECT TO lectern_app USING (id = ANY (ARRAY (SELECT app_projects('read'))));
--> statement-breakpoint
CREATE POLICY add_rows ON projects FOR INSERT TO lectern_app WITH CHECK (owner_id = (SELECT app_user_id()));
--> statement-breakpoint
CREATE POLICY change_rows ON projects FOR UPDATE TO lectern_app
  USING (id = ANY (ARRAY (SELECT app_projects('manage')))) WITH CHECK (id = ANY (ARRAY (SELECT app_projects('manage'))));
--> statement-breakpoint
CREATE POLICY remove_rows ON projects FOR DELETE TO lectern_app USING (id = ANY (ARRAY (SELECT app_projects('manage'))));
--> statement-breakpoint
CREATE POLICY read_rows ON project_tags FOR SELECT TO lectern_app USING (project_id = ANY (ARRAY (SELECT app_projects('read'))));
--> statement-breakpoint
CREATE POLICY add_rows ON project_tags FOR INSERT TO lectern_app
  WITH CHECK (project_id = ANY (ARRAY (SELECT app_projects('edit')))
    AND EXISTS (SELECT FROM tags t WHERE t.id = tag_id AND t.project_id = project_tags.project_id));
--> statement-breakpoint
CREATE POLICY remove_rows ON project_tags FOR DELETE TO lectern_app USING (project_id = ANY (ARRAY (SELECT app_projects('edit'))));
--> statement-breakpoint
-- The rule of documents applies inside.
CREATE POLICY read_rows ON document_tags FOR SELECT TO lectern_app
  USING (EXISTS (SELECT FROM documents WHERE documents.id = document_id));
--> statement-breakpoint
CREATE POLICY add_rows ON document_tags FOR INSERT TO lectern_app
  WITH CHECK (EXISTS (
    SELECT FROM documents d JOIN tags t ON t.id = tag_id AND t.project_id IS NOT DISTINCT FROM d.project_id
    WHERE d.id = document_id AND (d.project_id IS NULL OR d.project_id = ANY (ARRAY (SELECT app_projects('edit'))))));
--> statement-breakpoint
CREATE POLICY remove_rows ON document_tags FOR DELETE TO lectern_app
  USING (EXISTS (
    SELECT FROM documents d WHERE d.id = document_id
      AND (d.project_id IS NULL OR d.project_id = ANY (ARRAY (SELECT app_projects('edit'))))));
--> statement-breakpoint
CREATE OR REPLACE FUNCTION app_hidden_documents() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE ROWS 100 SET search_path = public, pg_temp AS $$
  SELECT id FROM documents WHERE deleted_at IS NOT NULL AND NOT app_sees_deleted()
    AND (project_id = ANY (ARRAY (SELECT app_projects('read'))) OR project_id IS NULL AND created_by = app_user_id())
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION document_needs_its_project() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone timestamptz;
BEGIN
  SELECT deleted_at INTO gone FROM projects WHERE id = NEW.project_id FOR KEY SHARE;
  IF gone IS NOT NULL THEN
    RAISE EXCEPTION 'The project is deleted.'
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'documents_project_id_projects_id_fk', TABLE = 'documents';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
-- The first owner has the role from the beginning, and the project is the default of an account without another one.
CREATE OR REPLACE FUNCTION project_gets_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO project_members (project_id, user_id, role, is_default)
    VALUES (NEW.id, NEW.owner_id, 'owner', NOT EXISTS (SELECT FROM project_members WHERE user_id = NEW.owner_id AND is_default));
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- The rows that follow a document have copies of its project and creator. Its tags become those of the other project.
DROP TRIGGER document_search_move ON documents;
--> statement-breakpoint
DROP FUNCTION index_moved_document();
--> statement-breakpoint
DROP TRIGGER document_rows_move ON documents;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION move_document_rows() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE document_search SET project_id = NEW.project_id, created_by = NEW.created_by WHERE document_id = NEW.id;
  UPDATE chunks SET project_id = NEW.project_id, created_by = NEW.created_by WHERE document_id = NEW.id;
  UPDATE chunk_sentences SET project_id = NEW.project_id, created_by = NEW.created_by WHERE document_id = NEW.id;
  IF NEW.project_id IS NOT DISTINCT FROM OLD.project_id AND NEW.project_id IS NOT NULL THEN
    RETURN NULL;
  END IF;
  UPDATE jobs SET project_id = NEW.project_id WHERE document_id = NEW.id;
  INSERT INTO tags (project_id, created_by, name)
    SELECT NEW.project_id, NEW.created_by, t.name FROM document_tags l JOIN tags t ON t.id = l.tag_id WHERE l.document_id = NEW.id
    ON CONFLICT DO NOTHING;
  UPDATE document_tags l SET tag_id = n.id FROM tags t, tags n
    WHERE l.document_id = NEW.id AND t.id = l.tag_id AND lower(n.name) = lower(t.name) AND n.id <> t.id
      AND (n.project_id = NEW.project_id
        OR NEW.project_id IS NULL AND n.project_id IS NULL AND n.created_by = NEW.created_by);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_rows_move AFTER UPDATE OF project_id, created_by ON documents FOR EACH ROW
  WHEN ((OLD.project_id, OLD.created_by) IS DISTINCT FROM (NEW.project_id, NEW.created_by)) EXECUTE FUNCTION move_document_rows();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION chunk_gets_project() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- The lock makes a concurrent move of the document wait, which then updates this row too.
  SELECT project_id, created_by INTO NEW.project_id, NEW.created_by FROM documents WHERE id = NEW.document_id FOR SHARE;
  RETURN NEW;
END
$$;
--> statement-breakpoint
ALTER FUNCTION index_changed_document() SECURITY DEFINER SET search_path = public, pg_temp;
--> statement-breakpoint
ALTER FUNCTION index_deleted_document() SECURITY DEFINER SET search_path = public, pg_temp;
--> statement-breakpoint
-- The functions that run as the owner of the tables apply the same rules themselves.
CREATE OR REPLACE FUNCTION documents_of_keywords(asked text[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 500
 SET search_path = public, pg_temp
AS $$
  SELECT DISTINCT l.document_id FROM tags t JOIN document_tags l ON l.tag_id = t.id
  WHERE (t.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR t.project_id IS NULL AND t.created_by = (SELECT app_user_id())) AND lower(t.name) IN (SELECT lower(one) FROM unnest(asked) AS one)
    AND l.document_id NOT IN (SELECT app_hidden_documents())
$$;
--> statement-breakpoint
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
        regexp_replace(left(coalesce(doc.extracted_text, ''), bound), '\[Page \d+\]', ' ', 'g'))), 'D');
      EXIT;
    EXCEPTION WHEN program_limit_exceeded THEN
      CONTINUE;
    END;
  END LOOP;
  INSERT INTO document_search (document_id, created_by, project_id, created_at, words, head, whole)
  VALUES (
    doc.id,
    doc.created_by,
    doc.project_id,
    doc.created_at,
    lower(left(concat_ws(E'\n', doc.title, doc.filename, doc.journal_name, doc.doi_link, array_to_string(doc.keywords, E'\n')), 30000)),
    head_words,
    all_words
  )
  ON CONFLICT (document_id) DO UPDATE SET words = excluded.words, head = excluded.head, whole = excluded.whole;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_documents(project uuid, asked tsquery, part text)
 RETURNS TABLE(document_id uuid, rank real, created_at timestamptz)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20000
 SET search_path = public, pg_temp
 SET enable_seqscan = off
AS $$
  WITH found AS MATERIALIZED (
    SELECT s.document_id, s.created_at,
      CASE WHEN s.words LIKE part THEN 0.5 ELSE 0 END + ts_rank(s.head, asked) AS head_rank
    FROM document_search s
    WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id())) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
      AND (s.words LIKE part OR s.whole @@ asked)
  ), counted AS MATERIALIZED (SELECT count(*) AS n FROM found)
  SELECT f.document_id, (f.head_rank + CASE WHEN counted.n <= 100
    THEN (SELECT ts_rank(s.whole, asked) FROM document_search s WHERE s.document_id = f.document_id)
    ELSE 0 END)::real, f.created_at
  FROM found f, counted
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_documents(project uuid, asked tsquery, part text, among uuid[])
 RETURNS TABLE(document_id uuid, rank real, created_at timestamptz)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20000
 SET search_path = public, pg_temp
 SET enable_seqscan = off
AS $$
  WITH found AS MATERIALIZED (
    SELECT s.document_id, s.created_at,
      CASE WHEN s.words LIKE part THEN 0.5 ELSE 0 END + ts_rank(s.head, asked) AS head_rank
    FROM document_search s
    WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id())) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
      AND (s.words LIKE part OR s.whole @@ asked) AND (s.document_id IN (SELECT unnest(among))) IS TRUE
  ), counted AS MATERIALIZED (
    SELECT count(*) AS n FROM (
      SELECT FROM document_search s
      WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id())) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
        AND (s.words LIKE part OR s.whole @@ asked) LIMIT 101
    ) few
  )
  SELECT f.document_id, (f.head_rank + CASE WHEN counted.n <= 100
    THEN (SELECT ts_rank(s.whole, asked) FROM document_search s WHERE s.document_id = f.document_id)
    ELSE 0 END)::real, f.created_at
  FROM found f, counted
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
    WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id())) AND s.deleted_at IS NULL
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
CREATE OR REPLACE FUNCTION search_hits(project uuid, asked tsquery, part text)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20000
 SET search_path = public, pg_temp
 SET enable_seqscan = off
AS $$
  SELECT s.document_id FROM document_search s
  WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id())) AND s.deleted_at IS NULL AND (project IS NULL OR s.project_id = project)
    AND (s.words LIKE part OR s.whole @@ asked)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_newest(project uuid, asked tsquery, part text, without uuid[], wanted integer, skipped integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path = public, pg_temp
 SET enable_seqscan = off
 SET enable_bitmapscan = off
AS $$
  SELECT s.document_id FROM document_search s
  WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id())) AND s.deleted_at IS NULL AND s.project_id = project
    AND (s.words LIKE part OR s.whole @@ asked) AND s.document_id <> ALL (without)
  ORDER BY s.created_at DESC, s.document_id LIMIT wanted OFFSET skipped
$$;
--> statement-breakpoint
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
  SELECT count(*) INTO n FROM document_search s
  WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id())) AND s.deleted_at IS NULL AND s.project_id = search_page.project
    AND (s.words LIKE search_page.part OR s.whole @@ search_page.asked);
  IF n <= 1000 THEN
    RETURN QUERY SELECT f.document_id, n FROM search_documents(search_page.project, search_page.asked, search_page.part) f
      ORDER BY f.rank DESC, f.created_at DESC, f.document_id LIMIT search_page.wanted OFFSET search_page.skipped;
    RETURN;
  END IF;
  first_ones := ARRAY(
    SELECT r.document_id FROM (
      SELECT s.document_id, s.words, s.head, s.created_at FROM document_search s
      WHERE (s.project_id = ANY (ARRAY (SELECT app_projects('read'))) OR s.project_id IS NULL AND s.created_by = (SELECT app_user_id())) AND s.deleted_at IS NULL AND s.project_id = search_page.project
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
-- A document that another account gets leaves its upload, which belongs to one account.
CREATE FUNCTION document_leaves_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.upload_id := NULL;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_leaves_upload BEFORE UPDATE OF created_by ON documents FOR EACH ROW
  WHEN (OLD.created_by IS DISTINCT FROM NEW.created_by) EXECUTE FUNCTION document_leaves_upload();
