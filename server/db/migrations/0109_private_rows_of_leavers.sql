-- A member who leaves a project takes no private row along, and no member could read it: conversations that are visible to
-- their author only, saved searches and feedback about answers. A member whom an owner removes keeps them for a new
-- invitation, because this member could not download them before.
CREATE FUNCTION member_leaves() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM conversations WHERE project_id = OLD.project_id AND created_by = OLD.user_id AND visibility = 'me';
  DELETE FROM saved_searches WHERE project_id = OLD.project_id AND created_by = OLD.user_id;
  DELETE FROM message_feedback f USING messages m
    WHERE m.id = f.message_id AND m.project_id = OLD.project_id AND f.user_id = OLD.user_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER member_leaves AFTER DELETE ON project_members FOR EACH ROW
  WHEN (OLD.user_id = app_user_id()) EXECUTE FUNCTION member_leaves();
