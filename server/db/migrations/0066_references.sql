CREATE TABLE "import_records" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"import_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"raw" text,
	"reference" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"outcome" text NOT NULL,
	"document_id" uuid,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"created_by" text,
	"kind" text NOT NULL,
	"source_name" text,
	"source_kind" text,
	"search_text" text,
	"searched_on" date,
	"filename" text,
	"format" text,
	"file_hash" text,
	"read_count" integer DEFAULT 0 NOT NULL,
	"created_count" integer DEFAULT 0 NOT NULL,
	"joined_count" integer DEFAULT 0 NOT NULL,
	"skipped_count" integer DEFAULT 0 NOT NULL,
	"failed_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "reference" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "ref_type" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "ref_year" integer;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "pmid" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "isbn13" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "arxiv_id" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "title_match" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "first_author_match" text;--> statement-breakpoint
ALTER TABLE "import_records" ADD CONSTRAINT "import_records_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_records" ADD CONSTRAINT "import_records_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_records" ADD CONSTRAINT "import_records_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_records_import" ON "import_records" USING btree ("import_id","position");--> statement-breakpoint
CREATE INDEX "import_records_project" ON "import_records" USING btree ("project_id","outcome");--> statement-breakpoint
CREATE INDEX "import_records_document" ON "import_records" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "imports_project" ON "imports" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "documents_citation_key" ON "documents" USING btree ("project_id",lower("reference" ->> 'citation-key'));--> statement-breakpoint
CREATE INDEX "documents_ref_type" ON "documents" USING btree ("project_id","ref_type");--> statement-breakpoint
CREATE INDEX "documents_ref_year" ON "documents" USING btree ("project_id","ref_year","publication_date");--> statement-breakpoint
CREATE INDEX "documents_pmid" ON "documents" USING btree ("project_id","pmid");--> statement-breakpoint
CREATE INDEX "documents_isbn13" ON "documents" USING btree ("project_id","isbn13");--> statement-breakpoint
CREATE INDEX "documents_arxiv_id" ON "documents" USING btree ("project_id","arxiv_id");--> statement-breakpoint
CREATE INDEX "documents_title_match" ON "documents" USING btree ("project_id","title_match");--> statement-breakpoint
CREATE INDEX "documents_first_author_match" ON "documents" USING btree ("project_id","first_author_match");