CREATE TABLE "chunk_terms" (
	"document_id" uuid NOT NULL,
	"term" text NOT NULL,
	"created_by" text,
	"project_id" uuid,
	"positions" integer[] NOT NULL,
	"counts" smallint[] NOT NULL,
	"lengths" smallint[] NOT NULL,
	CONSTRAINT "chunk_terms_document_id_term_pk" PRIMARY KEY("document_id","term")
);
--> statement-breakpoint
CREATE TABLE "index_pause" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"is_paused" boolean NOT NULL,
	CONSTRAINT "index_pause_one_row" CHECK (id = 1)
);
--> statement-breakpoint
CREATE TABLE "indexed_documents" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"created_by" text,
	"project_id" uuid,
	"is_stale" boolean DEFAULT true NOT NULL,
	"chunk_count" integer DEFAULT 0 NOT NULL,
	"term_count" integer DEFAULT 0 NOT NULL,
	"change" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chunks" ADD COLUMN "code" "bytea";--> statement-breakpoint
ALTER TABLE "chunks" ADD COLUMN "section" text;--> statement-breakpoint
ALTER TABLE "chunk_terms" ADD CONSTRAINT "chunk_terms_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "indexed_documents" ADD CONSTRAINT "indexed_documents_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chunk_terms_term" ON "chunk_terms" USING btree ("project_id","term");--> statement-breakpoint
CREATE INDEX "indexed_documents_project" ON "indexed_documents" USING btree ("project_id","created_by");--> statement-breakpoint
CREATE INDEX "indexed_documents_stale" ON "indexed_documents" USING btree ("change") WHERE "indexed_documents"."is_stale";--> statement-breakpoint
CREATE INDEX "indexed_documents_change" ON "indexed_documents" USING btree ("change");