-- The servers hear that a document has to be indexed, instead of looking every two seconds.
CREATE FUNCTION index_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('lectern_index', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER index_became_stale AFTER INSERT OR UPDATE ON indexed_documents
  FOR EACH ROW WHEN (NEW.is_stale) EXECUTE FUNCTION index_changed();
--> statement-breakpoint
CREATE TRIGGER index_pause_changed AFTER INSERT OR UPDATE ON index_pause
  FOR EACH STATEMENT EXECUTE FUNCTION index_changed();
