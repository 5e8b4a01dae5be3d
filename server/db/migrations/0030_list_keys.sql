DROP INDEX "documents_owner_project_title";--> statement-breakpoint
DROP INDEX "journals_name";--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "title_key" text GENERATED ALWAYS AS (left(lower(coalesce(nullif(title, ''), filename)), 200)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "journals" ADD COLUMN "name_key" text GENERATED ALWAYS AS (lower(name)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "documents_owner_project_title" ON "documents" USING btree ("owner_id","project_id","title_key","created_at" DESC NULLS FIRST,"id","deleted_at");--> statement-breakpoint
CREATE INDEX "journals_name" ON "journals" USING btree ("name_key","id","openalex_key");