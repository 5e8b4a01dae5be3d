CREATE TABLE "project_budgets" (
	"project_id" uuid NOT NULL,
	"role" text,
	"dollars" double precision NOT NULL,
	CONSTRAINT "project_budgets_one" UNIQUE NULLS NOT DISTINCT("project_id","role")
);
--> statement-breakpoint
ALTER TABLE "ai_calls" ADD COLUMN "project_id" uuid;--> statement-breakpoint
ALTER TABLE "project_budgets" ADD CONSTRAINT "project_budgets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_calls" ADD CONSTRAINT "ai_calls_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ai_calls_project" ON "ai_calls" USING btree ("project_id","created_at");