CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"created_by" text,
	"via" text NOT NULL,
	"key_id" uuid,
	"key_name" text,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"is_private" boolean DEFAULT false NOT NULL,
	"model" text NOT NULL,
	"model_settings" jsonb NOT NULL,
	"prompt_version_id" uuid,
	"prompt_text" text NOT NULL,
	"prompt_text_hash" text NOT NULL,
	"code_version" text NOT NULL,
	"input" jsonb NOT NULL,
	"input_hash" text NOT NULL,
	"papers" integer GENERATED ALWAYS AS (jsonb_array_length(input -> 'documents')) STORED,
	"status" text DEFAULT 'running' NOT NULL,
	"error" text,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"alive_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"tokens_in" integer DEFAULT 0 NOT NULL,
	"tokens_out" integer DEFAULT 0 NOT NULL,
	"cost_usd" double precision DEFAULT 0 NOT NULL,
	"cached" boolean DEFAULT false NOT NULL,
	"source_id" uuid,
	"output" jsonb,
	"values" jsonb,
	CONSTRAINT "runs_known_kind" CHECK (kind in ('analysis', 'library_answer')),
	CONSTRAINT "runs_known_status" CHECK (status in ('running', 'completed', 'stopped', 'failed') and (status = 'running') = (ended_at is null)),
	CONSTRAINT "runs_source_of_stored" CHECK (cached = (source_id is not null))
);
--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "run_id" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_prompt_version_id_prompt_versions_id_fk" FOREIGN KEY ("prompt_version_id") REFERENCES "public"."prompt_versions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_source_id_runs_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_number" ON "runs" USING btree ("project_id","number");--> statement-breakpoint
CREATE INDEX "runs_input" ON "runs" USING btree ("project_id","input_hash") WHERE status = 'completed' and not cached;--> statement-breakpoint
CREATE INDEX "runs_kind" ON "runs" USING btree ("project_id","kind","number");--> statement-breakpoint
CREATE INDEX "runs_created_by" ON "runs" USING btree ("created_by","project_id");--> statement-breakpoint
CREATE INDEX "runs_prompt_version" ON "runs" USING btree ("prompt_version_id");--> statement-breakpoint
CREATE INDEX "runs_source" ON "runs" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "runs_running" ON "runs" USING btree ("alive_at") WHERE status = 'running';--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "documents_run" ON "documents" USING btree ("run_id");