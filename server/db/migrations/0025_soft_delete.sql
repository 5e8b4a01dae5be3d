DROP INDEX "documents_owner_project_newest";--> statement-breakpoint
DROP INDEX "documents_owner_project_status";--> statement-breakpoint
DROP INDEX "projects_owner_name";--> statement-breakpoint
ALTER TABLE "document_search" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "removed_files" ADD COLUMN "due_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "documents_deleted" ON "documents" USING btree ("owner_id","deleted_at") WHERE "documents"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "documents_owner_project_newest" ON "documents" USING btree ("owner_id","project_id","created_at" DESC NULLS FIRST,"id","deleted_at");--> statement-breakpoint
CREATE INDEX "documents_owner_project_status" ON "documents" USING btree ("owner_id","project_id","status","created_at" DESC NULLS FIRST,"id","deleted_at");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_owner_name" ON "projects" USING btree ("owner_id",lower("name")) WHERE "projects"."deleted_at" is null;