-- What the search of documents looks through. The rows follow their documents by a trigger, so that no writer of documents
-- can forget them.
ALTER TABLE document_search ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON document_search TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON document_search TO lectern_app USING (owner_id = app_user_id()) WITH CHECK (owner_id = app_user_id());
--> statement-breakpoint
-- Words alone: with these signs the parser would see paths, addresses, signed numbers and compounds, found by their whole only.
CREATE FUNCTION search_plain(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT translate(given, '-/\._@:+&=?~#%<>''"', '                  ') $$;
--> statement-breakpoint
-- A tsvector holds 1 MiB at most: a text is indexed up to a bound in characters, and up to a lower one when that is too much,
-- so that no document fails to be saved because of its index. 20 000 characters fit whatever they are.
CREATE FUNCTION index_document(doc documents) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
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
  INSERT INTO document_search (document_id, owner_id, project_id, created_at, words, head, whole)
  VALUES (
    doc.id,
    doc.owner_id,
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
CREATE FUNCTION index_changed_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_document(NEW);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_search_insert AFTER INSERT ON documents FOR EACH ROW EXECUTE FUNCTION index_changed_document();
--> statement-breakpoint
CREATE TRIGGER document_search_update AFTER UPDATE ON documents FOR EACH ROW
  WHEN ((OLD.title, OLD.filename, OLD.journal_name, OLD.doi_link, OLD.keywords, OLD.extracted_text)
    IS DISTINCT FROM (NEW.title, NEW.filename, NEW.journal_name, NEW.doi_link, NEW.keywords, NEW.extracted_text))
  EXECUTE FUNCTION index_changed_document();
--> statement-breakpoint
-- A move of thousands of documents does not read their texts again.
CREATE FUNCTION index_moved_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE document_search SET project_id = NEW.project_id WHERE document_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER document_search_move AFTER UPDATE OF project_id ON documents FOR EACH ROW
  WHEN (OLD.project_id IS DISTINCT FROM NEW.project_id) EXECUTE FUNCTION index_moved_document();
--> statement-breakpoint
DO $$
DECLARE
  doc documents;
BEGIN
  FOR doc IN SELECT * FROM documents LOOP
    PERFORM index_document(doc);
  END LOOP;
END
$$;
--> statement-breakpoint
-- Under row-level security the indexes of text search are never used: the operators may leak what they read, so that the rows
-- must be filtered by their owner first, one by one. This function runs as the owner of the tables and filters by the caller
-- itself; what it answers is joined with documents, which are under row-level security as ever.
-- A rank looks through the whole text where few documents fit, and else through what is short and near at hand.
-- Without sequential scans, because one would unpack every text of the table; `words` is asked first, because it is short.
CREATE FUNCTION search_documents(project uuid, asked tsquery, part text)
RETURNS TABLE (document_id uuid, rank real, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 20000 SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  WITH found AS MATERIALIZED (
    SELECT s.document_id, s.created_at,
      CASE WHEN s.words LIKE part THEN 0.5 ELSE 0 END + ts_rank(s.head, asked) AS head_rank
    FROM document_search s
    WHERE s.owner_id = app_user_id() AND (project IS NULL OR s.project_id = project)
      AND (s.words LIKE part OR s.whole @@ asked)
  ), counted AS MATERIALIZED (SELECT count(*) AS n FROM found)
  SELECT f.document_id, (f.head_rank + CASE WHEN counted.n <= 100
    THEN (SELECT ts_rank(s.whole, asked) FROM document_search s WHERE s.document_id = f.document_id)
    ELSE 0 END)::real, f.created_at
  FROM found f, counted
$$;
--> statement-breakpoint
-- About 300 characters of a text around the first of the words, with the hits between \u0001 and \u0002; null when the
-- text has none of them. Only this much is given to the highlighter, which would read a whole text for a second.
CREATE FUNCTION search_snippet(full_text text, asked tsquery, stems text[]) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  body text := left(full_text, 500000);
  small text := lower(body);
  stem text;
  place integer;
  step integer;
  shown text;
BEGIN
  FOREACH stem IN ARRAY stems LOOP
    -- Where a word begins with it, that is not after a letter or digit.
    place := 0;
    FOR attempt IN 1..20 LOOP
      step := position(stem in substr(small, place + 1));
      IF step = 0 THEN place := 0; END IF;
      EXIT WHEN step = 0;
      place := place + step;
      EXIT WHEN place = 1 OR substr(small, place - 1, 1) !~ '[[:alnum:]]';
    END LOOP;
    CONTINUE WHEN place = 0;
    shown := translate(substr(body, greatest(1, place - 120), 320), E'\u0001\u0002', '');
    shown := regexp_replace(regexp_replace(shown, '\[Page \d+\]', ' ', 'g'), '\s+', ' ', 'g');
    -- What was cut in the middle of a word goes.
    IF place > 121 THEN shown := '…' || regexp_replace(shown, '^\S*\s', ''); END IF;
    IF length(small) > place + 200 THEN shown := regexp_replace(shown, '\s\S*$', '') || '…'; END IF;
    shown := ts_headline('english', shown, asked, E'StartSel=\u0001, StopSel=\u0002, HighlightAll=true');
    IF position(E'\u0001' in shown) > 0 THEN RETURN shown; END IF;
  END LOOP;
  RETURN NULL;
END
$$;
