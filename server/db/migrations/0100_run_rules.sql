-- Members read the runs of their project, except private runs of others. The server writes runs.
ALTER TABLE runs ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
REVOKE ALL ON runs FROM lectern_app;
--> statement-breakpoint
GRANT SELECT ON runs TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_rows ON runs FOR SELECT TO lectern_app
  USING (project_id = ANY (ARRAY (SELECT app_projects('read'))) AND (NOT is_private OR created_by = (SELECT app_user_id())));
--> statement-breakpoint
-- A running run gets its outcome once. Afterwards only references to deleted rows are cleared, and the privacy can change.
CREATE FUNCTION runs_stay() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  changing text[] := ARRAY['created_by', 'key_id', 'key_name', 'prompt_version_id', 'is_private', 'papers'];
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    RAISE EXCEPTION 'Runs are deleted with their project only.';
  END IF;
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id) THEN
      RAISE EXCEPTION 'Runs are deleted with their project only.';
    END IF;
    RETURN OLD;
  END IF;
  IF OLD.status = 'running' THEN
    changing := changing || ARRAY['status', 'error', 'alive_at', 'ended_at', 'tokens_in', 'tokens_out', 'cost_usd', 'cached',
      'source_id', 'output', 'values'];
  END IF;
  -- The name of a key is personal data of the account.
  IF NEW.created_by IS NULL THEN
    NEW.key_id := NULL;
    NEW.key_name := NULL;
  END IF;
  IF to_jsonb(NEW) - changing IS DISTINCT FROM to_jsonb(OLD) - changing
    OR NEW.created_by IS DISTINCT FROM OLD.created_by AND NEW.created_by IS NOT NULL
    OR NEW.key_id IS DISTINCT FROM OLD.key_id AND NEW.created_by IS NOT NULL
    OR NEW.key_name IS DISTINCT FROM OLD.key_name AND NEW.created_by IS NOT NULL
    OR NEW.prompt_version_id IS DISTINCT FROM OLD.prompt_version_id AND NEW.prompt_version_id IS NOT NULL THEN
    RAISE EXCEPTION 'A run that has ended cannot be changed.';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER runs_stay BEFORE UPDATE OR DELETE ON runs FOR EACH ROW EXECUTE FUNCTION runs_stay();
--> statement-breakpoint
CREATE TRIGGER runs_stay_whole BEFORE TRUNCATE ON runs FOR EACH STATEMENT EXECUTE FUNCTION runs_stay();
