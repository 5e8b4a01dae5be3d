-- These first path segments become pages of the app. A project of such a name gets another one, and its owner a notice. The
-- server logs the warnings. Deleted projects are renamed too, because they can be restored.
DO $$
DECLARE
  one record;
  fresh text;
  number integer;
BEGIN
  FOR one IN SELECT id, owner_id, name, deleted_at FROM projects
    WHERE lower(name) IN ('add', 'ask', 'help', 'invitations', 'invite', 'library', 'mcp', 'search') ORDER BY created_at, id
  LOOP
    fresh := one.name || ' (project)';
    number := 2;
    WHILE EXISTS (SELECT FROM projects WHERE owner_id = one.owner_id AND lower(name) = lower(fresh)) LOOP
      fresh := one.name || ' (project ' || number || ')';
      number := number + 1;
    END LOOP;
    UPDATE projects SET name = fresh WHERE id = one.id;
    CONTINUE WHEN one.deleted_at IS NOT NULL;
    INSERT INTO notices (user_id, kind, data) VALUES (one.owner_id, 'project_renamed',
      jsonb_build_object('project_id', one.id, 'from', one.name, 'to', fresh));
    RAISE WARNING 'the project "%" (%) is renamed to "%", because the name is reserved', one.name, one.id, fresh;
  END LOOP;
END
$$;
