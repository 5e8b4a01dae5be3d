CREATE TABLE "evidence" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid,
	"created_by" text,
	"document_id" uuid NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"visibility" text NOT NULL,
	"run_id" uuid,
	"text_version" integer NOT NULL,
	"page" integer,
	"start_offset" integer,
	"end_offset" integer,
	"quote" text NOT NULL,
	"prefix" text NOT NULL,
	"suffix" text NOT NULL,
	"match" text NOT NULL,
	"score" double precision NOT NULL,
	"lost" boolean DEFAULT false NOT NULL,
	"is_stale" boolean DEFAULT false NOT NULL,
	"history" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "evidence_subject_kind" CHECK ("evidence"."subject_kind" in ('message')),
	CONSTRAINT "evidence_visibility" CHECK ("evidence"."visibility" in ('me', 'project'))
);
--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evidence_subject" ON "evidence" USING btree ("subject_kind","subject_id");--> statement-breakpoint
CREATE INDEX "evidence_document" ON "evidence" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "evidence_created_by" ON "evidence" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "evidence_project_lost" ON "evidence" USING btree ("project_id","lost","created_at");--> statement-breakpoint
CREATE INDEX "evidence_stale" ON "evidence" USING btree ("document_id") WHERE "evidence"."is_stale";