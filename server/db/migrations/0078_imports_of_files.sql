ALTER TABLE "import_records" DROP CONSTRAINT "import_records_import_id_imports_id_fk";
--> statement-breakpoint
DROP INDEX "import_records_import";--> statement-breakpoint
ALTER TABLE "import_records" ADD COLUMN "line" integer;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "joined_within_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "total_count" integer;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "state" text DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "error" text;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "job_id" uuid;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "file_key" text;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_id_project" UNIQUE("id","project_id");--> statement-breakpoint
ALTER TABLE "import_records" ADD CONSTRAINT "import_records_import_of_project" FOREIGN KEY ("import_id","project_id") REFERENCES "public"."imports"("id","project_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "documents_pmcid" ON "documents" USING btree ("project_id",upper("reference" ->> 'PMCID'));--> statement-breakpoint
CREATE INDEX "import_records_outcome" ON "import_records" USING btree ("import_id","outcome","position");--> statement-breakpoint
CREATE UNIQUE INDEX "import_records_import" ON "import_records" USING btree ("import_id","position");
