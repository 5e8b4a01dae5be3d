CREATE TABLE "saved_searches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"name" text NOT NULL,
	"query" jsonb NOT NULL,
	"notify" boolean DEFAULT false NOT NULL,
	"notify_since" timestamp with time zone,
	"last_notified_at" timestamp with time zone,
	"reported" uuid[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "saved_searches" ADD CONSTRAINT "saved_searches_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_searches" ADD CONSTRAINT "saved_searches_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_searches_user" ON "saved_searches" USING btree ("created_by","project_id");--> statement-breakpoint
CREATE INDEX "saved_searches_project" ON "saved_searches" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "saved_searches_due" ON "saved_searches" USING btree ("last_notified_at") WHERE "saved_searches"."notify";