-- The unambiguous address of a project, its name with the first four digits of its id, becomes unique. Later projects of the
-- same address get another name, and their owners a notice.
DO $$
DECLARE
  one record;
  fresh text;
  number integer;
BEGIN
  FOR one IN SELECT id, owner_id, name, deleted_at FROM (
      SELECT *, row_number() OVER (PARTITION BY lower(name), left(id::text, 4) ORDER BY created_at, id) AS place FROM projects
    ) p WHERE place > 1 ORDER BY created_at, id
  LOOP
    number := 1;
    LOOP
      number := number + 1;
      fresh := one.name || ' (' || number || ')';
      EXIT WHEN NOT EXISTS (SELECT FROM projects WHERE lower(name) = lower(fresh)
        AND (owner_id = one.owner_id OR left(id::text, 4) = left(one.id::text, 4)));
    END LOOP;
    UPDATE projects SET name = fresh WHERE id = one.id;
    CONTINUE WHEN one.deleted_at IS NOT NULL;
    INSERT INTO notices (user_id, kind, data) VALUES (one.owner_id, 'project_renamed',
      jsonb_build_object('project_id', one.id, 'from', one.name, 'to', fresh));
    RAISE WARNING 'the project "%" (%) is renamed to "%", because another project has its address', one.name, one.id, fresh;
  END LOOP;
END
$$;
--> statement-breakpoint
CREATE UNIQUE INDEX "projects_unambiguous_address" ON "projects" USING btree (lower("name"),left("id"::text, 4));