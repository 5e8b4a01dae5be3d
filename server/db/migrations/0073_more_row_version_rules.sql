-- Counts the changes of the fields of journals that administrators edit, and of the roles of members.
DO $$
DECLARE
  editable CONSTANT jsonb := '{
    "journals": ["name", "publisher", "issn_l", "works_count", "citations_count", "is_open_access", "rss_feed_url",
      "homepage_url", "description", "h_index", "i10_index", "openalex_id", "works_api_url"],
    "project_members": ["role"]
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
