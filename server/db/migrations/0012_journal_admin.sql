CREATE TABLE "excluded_journals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"openalex_id" text NOT NULL,
	"journal_name" text NOT NULL,
	"reason" text,
	"excluded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "excluded_journals_openalex_id_unique" UNIQUE("openalex_id")
);
--> statement-breakpoint
CREATE TABLE "journal_imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"job_id" uuid,
	"started_by" text,
	"cursor" text DEFAULT '*' NOT NULL,
	"expected" integer,
	"processed" integer DEFAULT 0 NOT NULL,
	"added" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"excluded" integer DEFAULT 0 NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	"pages" integer DEFAULT 0 NOT NULL,
	"message" text,
	"revision" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "journals" DROP CONSTRAINT "journals_openalex_id_unique";--> statement-breakpoint
ALTER TABLE "journals" ADD COLUMN "openalex_key" text GENERATED ALWAYS AS (upper(regexp_replace(rtrim(openalex_id, '/'), '^.*/', ''))) STORED;--> statement-breakpoint
ALTER TABLE "journal_imports" ADD CONSTRAINT "journal_imports_started_by_user_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "journal_imports_one_running" ON "journal_imports" USING btree ("status") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "journal_imports_started" ON "journal_imports" USING btree ("started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "journals_openalex" ON "journals" USING btree ("openalex_key");--> statement-breakpoint
CREATE INDEX "journals_issn_l_alone" ON "journals" USING btree ("issn_l") WHERE openalex_id is null;--> statement-breakpoint
CREATE INDEX "journals_last_updated" ON "journals" USING btree ("last_updated");