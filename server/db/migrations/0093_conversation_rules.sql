ALTER TABLE conversations ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE message_feedback ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE, UPDATE (title, visibility, updated_at) ON conversations TO lectern_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (status, error, answer, sources, passages, run_id) ON messages TO lectern_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON message_feedback TO lectern_app;
--> statement-breakpoint
-- A private conversation is visible to its author. A chat is visible to the readers of its document only.
CREATE POLICY read_rows ON conversations FOR SELECT TO lectern_app USING (
  (project_id = ANY (ARRAY (SELECT app_projects('read'))) AND (visibility = 'project' OR created_by = (SELECT app_user_id()))
    OR project_id IS NULL AND created_by = (SELECT app_user_id()) AND (SELECT app_key_unassigned('read')))
  AND (document_id IS NULL OR EXISTS (SELECT FROM documents d WHERE d.id = document_id)));
--> statement-breakpoint
-- Only the author continues, renames and deletes a conversation, with the right to ask.
CREATE POLICY add_rows ON conversations FOR INSERT TO lectern_app WITH CHECK (
  created_by = (SELECT app_user_id())
  AND (project_id = ANY (ARRAY (SELECT app_projects('ask')))
    OR project_id IS NULL AND document_id IS NOT NULL AND (SELECT app_key_unassigned('ask')))
  AND (document_id IS NULL
    OR EXISTS (SELECT FROM documents d WHERE d.id = document_id AND d.project_id IS NOT DISTINCT FROM conversations.project_id)));
--> statement-breakpoint
CREATE POLICY change_rows ON conversations FOR UPDATE TO lectern_app
  USING (created_by = (SELECT app_user_id()) AND (project_id = ANY (ARRAY (SELECT app_projects('ask')))
    OR project_id IS NULL AND (SELECT app_key_unassigned('ask'))))
  WITH CHECK (created_by = (SELECT app_user_id()) AND (project_id = ANY (ARRAY (SELECT app_projects('ask')))
    OR project_id IS NULL AND (SELECT app_key_unassigned('ask'))));
--> statement-breakpoint
CREATE POLICY remove_rows ON conversations FOR DELETE TO lectern_app
  USING (created_by = (SELECT app_user_id()) AND (project_id = ANY (ARRAY (SELECT app_projects('ask')))
    OR project_id IS NULL AND (SELECT app_key_unassigned('ask'))));
--> statement-breakpoint
CREATE POLICY read_rows ON messages FOR SELECT TO lectern_app USING (
  (project_id = ANY (ARRAY (SELECT app_projects('read'))) OR project_id IS NULL)
  AND EXISTS (SELECT FROM conversations c WHERE c.id = conversation_id));
--> statement-breakpoint
CREATE POLICY add_rows ON messages FOR INSERT TO lectern_app WITH CHECK (
  asked_by = (SELECT app_user_id())
  AND (project_id = ANY (ARRAY (SELECT app_projects('ask'))) OR project_id IS NULL AND (SELECT app_key_unassigned('ask')))
  AND EXISTS (SELECT FROM conversations c WHERE c.id = conversation_id AND c.created_by = (SELECT app_user_id())
    AND c.project_id IS NOT DISTINCT FROM messages.project_id));
--> statement-breakpoint
CREATE POLICY change_rows ON messages FOR UPDATE TO lectern_app
  USING (asked_by = (SELECT app_user_id())
    AND (project_id = ANY (ARRAY (SELECT app_projects('ask'))) OR project_id IS NULL AND (SELECT app_key_unassigned('ask'))))
  WITH CHECK (asked_by = (SELECT app_user_id()));
--> statement-breakpoint
CREATE POLICY own_rows ON message_feedback TO lectern_app
  USING (user_id = (SELECT app_user_id()) AND EXISTS (SELECT FROM messages m WHERE m.id = message_id))
  WITH CHECK (user_id = (SELECT app_user_id()) AND EXISTS (SELECT FROM messages m WHERE m.id = message_id));
--> statement-breakpoint
-- A chat follows its document to another project, and the messages follow their conversation.
CREATE FUNCTION move_conversations() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE conversations SET project_id = NEW.project_id WHERE document_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER documents_move_conversations AFTER UPDATE OF project_id ON documents FOR EACH ROW
  WHEN (OLD.project_id IS DISTINCT FROM NEW.project_id) EXECUTE FUNCTION move_conversations();
--> statement-breakpoint
CREATE FUNCTION move_messages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE messages SET project_id = NEW.project_id WHERE conversation_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER conversations_move_messages AFTER UPDATE OF project_id ON conversations FOR EACH ROW
  WHEN (OLD.project_id IS DISTINCT FROM NEW.project_id) EXECUTE FUNCTION move_messages();
--> statement-breakpoint
-- The private conversations of an account are deleted with it. Those of a project stay.
CREATE FUNCTION delete_private_conversations() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM conversations WHERE created_by = OLD.id AND (visibility = 'me' OR project_id IS NULL);
  RETURN OLD;
END
$$;
--> statement-breakpoint
CREATE TRIGGER user_private_conversations BEFORE DELETE ON "user" FOR EACH ROW EXECUTE FUNCTION delete_private_conversations();
--> statement-breakpoint
-- Evidence has a copy of the visibility and the project of its subject.
CREATE FUNCTION share_evidence() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE evidence SET visibility = NEW.visibility, project_id = NEW.project_id
    WHERE subject_kind = 'message' AND subject_id IN (SELECT id FROM messages WHERE conversation_id = NEW.id);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER conversations_share_evidence AFTER UPDATE OF visibility, project_id ON conversations FOR EACH ROW
  WHEN ((OLD.visibility, OLD.project_id) IS DISTINCT FROM (NEW.visibility, NEW.project_id)) EXECUTE FUNCTION share_evidence();
--> statement-breakpoint
CREATE FUNCTION delete_evidence_of_messages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM evidence WHERE subject_kind = 'message' AND subject_id IN (SELECT id FROM gone);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER messages_delete_evidence AFTER DELETE ON messages REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION delete_evidence_of_messages();
