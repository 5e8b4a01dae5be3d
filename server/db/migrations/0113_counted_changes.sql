-- Counts the changes of conversations, saved searches, recommendations and the schedules of Zotero libraries that users edit.
DO $$
DECLARE
  editable CONSTANT jsonb := '{
    "conversations": ["title", "visibility"],
    "saved_searches": ["name", "notify"],
    "research_recommendation": ["status"]
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
--> statement-breakpoint
CREATE FUNCTION zotero_libraries_count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.schedule_version := OLD.schedule_version + 1;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER zotero_libraries_count_version BEFORE UPDATE OF synchronize ON zotero_libraries FOR EACH ROW
  WHEN (NEW.synchronize IS DISTINCT FROM OLD.synchronize) EXECUTE FUNCTION zotero_libraries_count_version();
