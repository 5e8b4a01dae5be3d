DROP INDEX "documents_owner_project_created";--> statement-breakpoint
CREATE INDEX "document_search_newest" ON "document_search" USING btree ("owner_id","project_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "documents_owner_project_newest" ON "documents" USING btree ("owner_id","project_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "documents_owner_project_status" ON "documents" USING btree ("owner_id","project_id","status","created_at" DESC NULLS FIRST,"id");