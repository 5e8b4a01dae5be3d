-- A chat follows its document to another project. Its author decides again whether the members of that project read it.
CREATE OR REPLACE FUNCTION move_conversations() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE conversations SET project_id = NEW.project_id, visibility = 'me' WHERE document_id = NEW.id;
  RETURN NULL;
END
$$;
