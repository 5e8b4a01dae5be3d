CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "document_search" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"project_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"words" text NOT NULL,
	"head" "tsvector" NOT NULL,
	"whole" "tsvector" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "document_search" ADD CONSTRAINT "document_search_document_of_owner" FOREIGN KEY ("document_id","owner_id") REFERENCES "public"."documents"("id","owner_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "document_search_owner" ON "document_search" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "document_search_words" ON "document_search" USING gin ("words" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "document_search_whole" ON "document_search" USING gin ("whole");--> statement-breakpoint
CREATE INDEX "documents_owner_project_title" ON "documents" USING btree ("owner_id","project_id",left(lower(coalesce(nullif("title", ''), "filename")), 200));--> statement-breakpoint
CREATE INDEX "documents_owner_content" ON "documents" USING btree ("owner_id","content_hash");