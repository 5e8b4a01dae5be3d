CREATE TABLE "prompt_versions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"prompt_id" uuid,
	"version" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"model" text NOT NULL,
	"prompt" text NOT NULL,
	"saved_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_versions_of_prompt" UNIQUE("prompt_id","version")
);
--> statement-breakpoint
CREATE TABLE "ai_budgets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"scope" text NOT NULL,
	"user_id" text,
	"dollars" double precision NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ai_budgets_one" UNIQUE NULLS NOT DISTINCT("scope","user_id")
);
--> statement-breakpoint
CREATE TABLE "ai_prices" (
	"model" text PRIMARY KEY NOT NULL,
	"dollars_in" double precision NOT NULL,
	"dollars_out" double precision NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_usage_daily" (
	"day" date NOT NULL,
	"person" text NOT NULL,
	"model" text NOT NULL,
	"purpose" text NOT NULL,
	"calls" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"tokens_in" bigint NOT NULL,
	"tokens_out" bigint NOT NULL,
	"cost_usd" double precision NOT NULL,
	CONSTRAINT "ai_usage_daily_day_person_model_purpose_pk" PRIMARY KEY("day","person","model","purpose")
);
--> statement-breakpoint
DROP INDEX "ai_calls_created";--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "analysis_prompt_version_id" uuid;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "analysis_prompt" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "analysis_prompt_version" integer;--> statement-breakpoint
ALTER TABLE "prompt_library" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "prompt_library" ADD COLUMN "updated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_prompt_id_prompt_library_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompt_library"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_saved_by_user_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_budgets" ADD CONSTRAINT "ai_budgets_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ai_usage_daily_person" ON "ai_usage_daily" USING btree ("person","day");--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_analysis_prompt_version_id_prompt_versions_id_fk" FOREIGN KEY ("analysis_prompt_version_id") REFERENCES "public"."prompt_versions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ai_calls_document" ON "ai_calls" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "ai_calls_created" ON "ai_calls" USING btree ("created_at","id");