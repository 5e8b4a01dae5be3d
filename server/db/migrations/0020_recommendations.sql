CREATE TABLE "research_recommendation" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"owner_id" text NOT NULL,
	"title" text NOT NULL,
	"publication_date" date,
	"abstract" text,
	"doi_link" text,
	"pdf_link" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"authors" text[] DEFAULT '{}' NOT NULL,
	"journal_name" text,
	"link" text,
	"openalex_id" text,
	"open_access" boolean DEFAULT false NOT NULL,
	"cited_by" integer DEFAULT 0 NOT NULL,
	"score" real DEFAULT 0 NOT NULL,
	"why" jsonb,
	"added_at" timestamp with time zone,
	"document_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "research_recommendation" ADD CONSTRAINT "research_recommendation_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "research_recommendation" ADD CONSTRAINT "recommendation_project_of_owner" FOREIGN KEY ("project_id","owner_id") REFERENCES "public"."projects"("id","owner_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "research_recommendation_project" ON "research_recommendation" USING btree ("project_id","status","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "research_recommendation_document" ON "research_recommendation" USING btree ("document_id");