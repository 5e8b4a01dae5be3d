ALTER TABLE "documents" ADD COLUMN "authors" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "abstract" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "link" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "retracted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "metadata_checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "doi_key" text GENERATED ALWAYS AS (nullif(left(lower(btrim(regexp_replace(btrim(doi_link), '^(https?://(dx[.])?doi[.]org/|doi:\s*)', '', 'i'))), 300), '')) STORED;--> statement-breakpoint
CREATE INDEX "documents_owner_doi" ON "documents" USING btree ("owner_id","doi_key");