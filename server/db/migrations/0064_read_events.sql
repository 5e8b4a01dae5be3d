-- Reads the events of several accounts, each after its own snapshot, in one call. Row-level security applies to each account:
-- its statement runs with its id, has its own snapshot, and returns that snapshot with the rows. `up_to` and `after_row`
-- continue an older batch. A job has the rights of its reader at the time of reading.
CREATE FUNCTION app_read_events(accounts text[], seen text[], up_to text[], after_row bigint[], most integer)
RETURNS TABLE (reader integer, snapshot text, id bigint, event text, data jsonb, disabled boolean)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  FOR n IN 1 .. cardinality(accounts) LOOP
    PERFORM set_config('app.user_id', accounts[n], true);
    RETURN QUERY
      WITH heard AS (
        SELECT own.id, own.event, own.data FROM (
          SELECT e.id, e.event, e.data, e.xact FROM events e
          WHERE e.owner_id = accounts[n] AND e.project_id IS NULL AND e.xact >= pg_snapshot_xmin(seen[n]::pg_snapshot)
          UNION ALL
          SELECT e.id, e.event, e.data, e.xact FROM events e
          WHERE e.project_id = ANY (ARRAY (SELECT app_projects('read')))
            AND e.xact >= pg_snapshot_xmin(seen[n]::pg_snapshot)
        ) own
        WHERE NOT pg_visible_in_snapshot(own.xact, seen[n]::pg_snapshot)
          AND (up_to[n] IS NULL OR pg_visible_in_snapshot(own.xact, up_to[n]::pg_snapshot) AND own.id > after_row[n])
        ORDER BY own.id LIMIT most
      )
      SELECT n, now.snapshot::text, heard.id, heard.event,
        CASE WHEN heard.event = 'job' THEN heard.data || jsonb_build_object('may', coalesce(app_rights(
          CASE WHEN heard.data ->> 'project_id' IS NULL THEN 'owner' ELSE (
            SELECT m.role FROM project_members m
            WHERE m.project_id = (heard.data ->> 'project_id')::uuid AND m.user_id = accounts[n]) END), '{}'))
          ELSE heard.data END,
        EXISTS (SELECT FROM profiles p WHERE p.id = accounts[n] AND p.disabled_at IS NOT NULL)
      FROM (SELECT pg_current_snapshot() AS snapshot) now LEFT JOIN heard ON true
      ORDER BY heard.id;
  END LOOP;
  PERFORM set_config('app.user_id', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION app_read_events(text[], text[], text[], bigint[], integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION app_read_events(text[], text[], text[], bigint[], integer) TO lectern_app;
