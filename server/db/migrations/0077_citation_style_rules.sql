-- Citation styles: every signed-in user reads them, admins write them.
ALTER TABLE citation_styles ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON citation_styles TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_signed_in ON citation_styles FOR SELECT TO lectern_app USING (app_user_id() IS NOT NULL);
--> statement-breakpoint
CREATE POLICY write_admin ON citation_styles TO lectern_app USING (app_is_admin()) WITH CHECK (app_is_admin());
--> statement-breakpoint
-- Counts the changes of the default style and language too (see 0058).
DROP TRIGGER projects_count_version ON projects;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION projects_count_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed CONSTANT text[] := array_remove(ARRAY[
    CASE WHEN NEW.name IS DISTINCT FROM OLD.name THEN 'name' END,
    CASE WHEN NEW.description IS DISTINCT FROM OLD.description THEN 'description' END,
    CASE WHEN NEW.research_question IS DISTINCT FROM OLD.research_question THEN 'research_question' END,
    CASE WHEN NEW.hero_image IS DISTINCT FROM OLD.hero_image THEN 'hero_image' END,
    CASE WHEN NEW.process_automatically IS DISTINCT FROM OLD.process_automatically THEN 'process_automatically' END,
    CASE WHEN NEW.citation_style IS DISTINCT FROM OLD.citation_style THEN 'citation_style' END,
    CASE WHEN NEW.citation_language IS DISTINCT FROM OLD.citation_language THEN 'citation_language' END], NULL);
BEGIN
  IF cardinality(changed) > 0 THEN
    NEW.version := OLD.version + 1;
    NEW.field_versions := NEW.field_versions
      || (SELECT jsonb_object_agg(name, NEW.version) FROM unnest(changed) name);
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER projects_count_version
  BEFORE UPDATE OF name, description, research_question, hero_image, process_automatically, citation_style, citation_language
  ON projects FOR EACH ROW EXECUTE FUNCTION projects_count_version();
