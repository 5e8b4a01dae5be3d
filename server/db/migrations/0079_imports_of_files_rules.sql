-- The paper of a record is in the project of the record when the record is written: row-level security compares only the
-- project of the record. Later the paper may move to another project.
CREATE FUNCTION import_records_same_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM added a JOIN documents d ON d.id = a.document_id WHERE d.project_id IS DISTINCT FROM a.project_id) THEN
    RAISE EXCEPTION 'the paper of a record is in another project' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER import_records_same_project AFTER INSERT ON import_records
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION import_records_same_project();
--> statement-breakpoint
CREATE FUNCTION import_record_same_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM documents d WHERE d.id = NEW.document_id AND d.project_id IS DISTINCT FROM NEW.project_id) THEN
    RAISE EXCEPTION 'the paper of a record is in another project' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER import_record_same_project AFTER UPDATE OF document_id, project_id ON import_records FOR EACH ROW
  WHEN (NEW.document_id IS NOT NULL AND (NEW.document_id, NEW.project_id) IS DISTINCT FROM (OLD.document_id, OLD.project_id))
  EXECUTE FUNCTION import_record_same_project();
--> statement-breakpoint
-- The file of a deleted import is deleted from the storage, also when its project is deleted.
CREATE FUNCTION imports_release_file() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO removed_files (key) VALUES (OLD.file_key) ON CONFLICT (key) DO UPDATE SET due_at = now();
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER imports_release_file AFTER DELETE ON imports FOR EACH ROW
  WHEN (OLD.file_key IS NOT NULL) EXECUTE FUNCTION imports_release_file();
--> statement-breakpoint
-- The jobs of an account are deleted with it.
CREATE FUNCTION imports_lose_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.state := 'failed';
  NEW.error := 'The account that started this import was deleted.';
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER imports_lose_account BEFORE UPDATE OF created_by ON imports FOR EACH ROW
  WHEN (NEW.created_by IS NULL AND OLD.created_by IS NOT NULL AND OLD.state IN ('waiting', 'running'))
  EXECUTE FUNCTION imports_lose_account();
