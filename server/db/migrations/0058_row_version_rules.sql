-- Counts the changes of the fields that users edit. A trigger, because several rooms and jobs write these rows. `tags` of
-- projects is no column: the room `projects` counts its changes.
DO $$
DECLARE
  editable CONSTANT jsonb := '{
    "documents": ["title", "authors", "doi_link", "publication_date", "journal_name", "journal_id", "abstract", "summary",
      "lifestyle_recommendations", "evidence_level", "keywords", "social_post", "insights", "semantic_paperid", "retracted",
      "project_id"],
    "projects": ["name", "description", "research_question", "hero_image", "process_automatically"],
    "profiles": ["full_name", "display_name", "bio", "avatar_url", "email_notifications", "theme", "font_size"]
  }';
  one text;
  fields jsonb;
BEGIN
  FOR one, fields IN SELECT * FROM jsonb_each(editable) LOOP
    EXECUTE format($body$
      CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $trigger$
      DECLARE
        changed CONSTANT text[] := array_remove(ARRAY[%2$s], NULL);
      BEGIN
        IF cardinality(changed) > 0 THEN
          NEW.version := OLD.version + 1;
          NEW.field_versions := NEW.field_versions
            || (SELECT jsonb_object_agg(name, NEW.version) FROM unnest(changed) name);
        END IF;
        RETURN NEW;
      END
      $trigger$
    $body$, one || '_count_version', (
      SELECT string_agg(format('CASE WHEN NEW.%1$I IS DISTINCT FROM OLD.%1$I THEN %1$L END', name), ', ')
      FROM jsonb_array_elements_text(fields) name));
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OF %s ON %I FOR EACH ROW EXECUTE FUNCTION %I()',
      one || '_count_version',
      (SELECT string_agg(quote_ident(name), ', ') FROM jsonb_array_elements_text(fields) name), one, one || '_count_version');
  END LOOP;
END
$$;
