-- Vectors, and the role that row-level security binds. The role belongs to the whole database server and may be there
-- already (another database of the same server), so it is made only when it is missing.
CREATE EXTENSION IF NOT EXISTS vector;
--> statement-breakpoint
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'lectern_app') THEN
    BEGIN
      CREATE ROLE lectern_app NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END IF;
  IF NOT pg_has_role(current_user, 'lectern_app', 'MEMBER') THEN
    EXECUTE format('GRANT lectern_app TO %I', current_user);
  END IF;
END
$$;
