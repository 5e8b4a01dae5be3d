-- Rows of a project belong to the project: created_by names the account that wrote them and may be null. Foreign keys over
-- (project_id, owner_id) become (project_id).
DROP POLICY own_rows ON documents;
--> statement-breakpoint
DROP POLICY own_rows ON chunks;
--> statement-breakpoint
DROP POLICY own_rows ON chunk_sentences;
--> statement-breakpoint
DROP POLICY own_rows ON document_search;
--> statement-breakpoint
DROP POLICY own_rows ON document_tags;
--> statement-breakpoint
DROP POLICY own_rows ON tags;
--> statement-breakpoint
DROP POLICY own_rows ON project_tags;
--> statement-breakpoint
DROP POLICY own_rows ON projects;
--> statement-breakpoint
DROP POLICY own_rows ON jobs;
--> statement-breakpoint
DROP POLICY own_rows ON events;
--> statement-breakpoint
DROP POLICY own_rows ON research_recommendation;
--> statement-breakpoint
DROP POLICY own_rows ON user_rss_subscription;
--> statement-breakpoint
ALTER TABLE chunk_sentences DROP CONSTRAINT chunk_sentences_chunk_of_document;
--> statement-breakpoint
ALTER TABLE chunks DROP CONSTRAINT chunks_document_of_owner;
--> statement-breakpoint
ALTER TABLE chunks DROP CONSTRAINT chunks_id_document_owner;
--> statement-breakpoint
ALTER TABLE document_search DROP CONSTRAINT document_search_document_of_owner;
--> statement-breakpoint
ALTER TABLE documents DROP CONSTRAINT documents_project_of_owner;
--> statement-breakpoint
ALTER TABLE documents DROP CONSTRAINT documents_id_owner;
--> statement-breakpoint
ALTER TABLE documents DROP CONSTRAINT documents_owner_id_user_id_fk;
--> statement-breakpoint
ALTER TABLE research_recommendation DROP CONSTRAINT recommendation_project_of_owner;
--> statement-breakpoint
ALTER TABLE user_rss_subscription DROP CONSTRAINT subscription_project_of_owner;
--> statement-breakpoint
ALTER TABLE user_rss_subscription DROP CONSTRAINT user_rss_subscription_user_id_user_id_fk;
--> statement-breakpoint
ALTER TABLE jobs DROP CONSTRAINT jobs_owner_id_user_id_fk;
--> statement-breakpoint
ALTER TABLE tags DROP CONSTRAINT tags_owner_id_user_id_fk;
--> statement-breakpoint
ALTER TABLE projects DROP CONSTRAINT projects_owner_id_user_id_fk;
--> statement-breakpoint
ALTER TABLE projects DROP CONSTRAINT projects_id_owner;
--> statement-breakpoint
DROP INDEX documents_owner_project_newest;
--> statement-breakpoint
DROP INDEX documents_owner_project_status;
--> statement-breakpoint
DROP INDEX documents_owner_project_title;
--> statement-breakpoint
DROP INDEX documents_owner_doi;
--> statement-breakpoint
DROP INDEX documents_owner_content;
--> statement-breakpoint
DROP INDEX documents_deleted;
--> statement-breakpoint
DROP INDEX document_search_owner;
--> statement-breakpoint
DROP INDEX document_search_newest;
--> statement-breakpoint
DROP INDEX tags_owner_name;
--> statement-breakpoint
ALTER TABLE documents RENAME COLUMN owner_id TO created_by;
--> statement-breakpoint
ALTER TABLE chunks RENAME COLUMN owner_id TO created_by;
--> statement-breakpoint
ALTER TABLE chunk_sentences RENAME COLUMN owner_id TO created_by;
--> statement-breakpoint
ALTER TABLE document_search RENAME COLUMN owner_id TO created_by;
--> statement-breakpoint
ALTER TABLE tags RENAME COLUMN owner_id TO created_by;
--> statement-breakpoint
ALTER TABLE jobs RENAME COLUMN owner_id TO created_by;
--> statement-breakpoint
ALTER TABLE research_recommendation RENAME COLUMN owner_id TO created_by;
--> statement-breakpoint
ALTER TABLE documents ALTER COLUMN created_by DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE chunks ALTER COLUMN created_by DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE chunk_sentences ALTER COLUMN created_by DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE document_search ALTER COLUMN created_by DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE tags ALTER COLUMN created_by DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE jobs ALTER COLUMN created_by DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE research_recommendation ALTER COLUMN created_by DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE user_rss_subscription ALTER COLUMN user_id DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE events ALTER COLUMN owner_id DROP NOT NULL;
--> statement-breakpoint
-- The default project is a property of the member.
UPDATE project_members m SET is_default = true FROM projects p
  WHERE p.id = m.project_id AND p.owner_id = m.user_id AND p.is_default;
--> statement-breakpoint
DROP INDEX projects_one_default;
--> statement-breakpoint
ALTER TABLE projects DROP COLUMN is_default;
--> statement-breakpoint
-- Jobs remain after the removal of their project.
UPDATE jobs SET project_id = d.project_id FROM documents d WHERE d.id = jobs.document_id AND d.project_id IS DISTINCT FROM jobs.project_id;
--> statement-breakpoint
UPDATE jobs SET project_id = NULL WHERE project_id IS NOT NULL AND NOT EXISTS (SELECT FROM projects p WHERE p.id = jobs.project_id);
--> statement-breakpoint
-- Tags become the project's. Each tag becomes that of the oldest project that uses it, and each other project gets a copy.
CREATE TEMPORARY TABLE tag_use ON COMMIT DROP AS
  SELECT used.tag_id, used.project_id, CASE WHEN row_number() OVER same = 1 THEN used.tag_id ELSE gen_random_uuid() END AS new_id
  FROM (
    SELECT tag_id, project_id FROM project_tags
    UNION SELECT l.tag_id, d.project_id FROM document_tags l JOIN documents d ON d.id = l.document_id
  ) used LEFT JOIN projects p ON p.id = used.project_id
  WINDOW same AS (PARTITION BY used.tag_id ORDER BY p.created_at, p.id);
--> statement-breakpoint
INSERT INTO tags (id, project_id, created_by, name, created_at)
  SELECT u.new_id, u.project_id, t.created_by, t.name, t.created_at FROM tag_use u JOIN tags t ON t.id = u.tag_id WHERE u.new_id <> u.tag_id;
--> statement-breakpoint
UPDATE tags t SET project_id = u.project_id FROM tag_use u WHERE u.tag_id = t.id AND u.new_id = t.id AND u.project_id IS NOT NULL;
--> statement-breakpoint
UPDATE project_tags l SET tag_id = u.new_id FROM tag_use u
  WHERE u.tag_id = l.tag_id AND u.project_id = l.project_id AND u.new_id <> u.tag_id;
--> statement-breakpoint
UPDATE document_tags l SET tag_id = u.new_id FROM tag_use u, documents d
  WHERE d.id = l.document_id AND u.tag_id = l.tag_id AND u.project_id IS NOT DISTINCT FROM d.project_id AND u.new_id <> u.tag_id;
--> statement-breakpoint
ALTER TABLE chunks ADD CONSTRAINT chunks_id_document UNIQUE (id, document_id);
--> statement-breakpoint
ALTER TABLE "chunk_sentences" ADD CONSTRAINT "chunk_sentences_chunk_of_document" FOREIGN KEY ("chunk_id","document_id") REFERENCES "public"."chunks"("id","document_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chunks" ADD CONSTRAINT "chunks_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "document_search" ADD CONSTRAINT "document_search_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "user_rss_subscription" ADD CONSTRAINT "user_rss_subscription_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "user_rss_subscription" ADD CONSTRAINT "user_rss_subscription_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_owner_id_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "research_recommendation" ADD CONSTRAINT "research_recommendation_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "research_recommendation" ADD CONSTRAINT "research_recommendation_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "documents_project_newest" ON "documents" USING btree ("project_id","created_at" DESC NULLS FIRST,"id","deleted_at","created_by");
--> statement-breakpoint
CREATE INDEX "documents_project_status" ON "documents" USING btree ("project_id","status","created_at" DESC NULLS FIRST,"id","deleted_at","created_by");
--> statement-breakpoint
CREATE INDEX "documents_project_title" ON "documents" USING btree ("project_id","title_key","created_at" DESC NULLS FIRST,"id","deleted_at","created_by");
--> statement-breakpoint
CREATE INDEX "documents_created_by" ON "documents" USING btree ("created_by","project_id","created_at" DESC NULLS FIRST,"id");
--> statement-breakpoint
CREATE INDEX "documents_doi" ON "documents" USING btree ("doi_key","project_id");
--> statement-breakpoint
CREATE INDEX "documents_content" ON "documents" USING btree ("content_hash");
--> statement-breakpoint
CREATE INDEX "documents_deleted" ON "documents" USING btree ("project_id","created_by") WHERE "documents"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "events_project" ON "events" USING btree ("project_id","xact");
--> statement-breakpoint
CREATE UNIQUE INDEX "tags_project_name" ON "tags" USING btree ("project_id",lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "tags_name_without_project" ON "tags" USING btree ("created_by",lower("name")) WHERE project_id is null;
--> statement-breakpoint
CREATE INDEX "jobs_project" ON "jobs" USING btree ("project_id","created_at");
--> statement-breakpoint
CREATE INDEX "document_search_newest" ON "document_search" USING btree ("project_id","created_at" DESC NULLS FIRST);
