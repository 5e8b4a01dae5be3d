CREATE TABLE "duplicate_answers" (
	"project_id" uuid NOT NULL,
	"first_id" uuid NOT NULL,
	"second_id" uuid NOT NULL,
	"answer" text NOT NULL,
	"answered_by" text,
	"answered_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "duplicate_answers_first_id_second_id_pk" PRIMARY KEY("first_id","second_id"),
	CONSTRAINT "duplicate_answers_order" CHECK (first_id < second_id)
);
--> statement-breakpoint
CREATE TABLE "duplicate_checks" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid,
	"compared" jsonb,
	"is_waiting" boolean DEFAULT true NOT NULL,
	"changes" integer DEFAULT 0 NOT NULL,
	"claimed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "duplicate_keys" (
	"key" bigint NOT NULL,
	"document_id" uuid NOT NULL,
	CONSTRAINT "duplicate_keys_key_document_id_pk" PRIMARY KEY("key","document_id")
);
--> statement-breakpoint
CREATE TABLE "duplicate_pairs" (
	"project_id" uuid NOT NULL,
	"first_id" uuid NOT NULL,
	"second_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"likeness" text NOT NULL,
	"title_likeness" real NOT NULL,
	"title_begins" boolean NOT NULL,
	"equal" text[] NOT NULL,
	"years_apart" integer,
	CONSTRAINT "duplicate_pairs_first_id_second_id_pk" PRIMARY KEY("first_id","second_id"),
	CONSTRAINT "duplicate_pairs_order" CHECK (first_id < second_id)
);
--> statement-breakpoint
CREATE TABLE "joined_papers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid,
	"kept_id" uuid NOT NULL,
	"joined_id" uuid,
	"title" text NOT NULL,
	"joined_by" text,
	"joined_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undo" jsonb NOT NULL,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "duplicate_answers" ADD CONSTRAINT "duplicate_answers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_answers" ADD CONSTRAINT "duplicate_answers_first_id_documents_id_fk" FOREIGN KEY ("first_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_answers" ADD CONSTRAINT "duplicate_answers_second_id_documents_id_fk" FOREIGN KEY ("second_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_answers" ADD CONSTRAINT "duplicate_answers_answered_by_user_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_checks" ADD CONSTRAINT "duplicate_checks_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_checks" ADD CONSTRAINT "duplicate_checks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_keys" ADD CONSTRAINT "duplicate_keys_document_id_duplicate_checks_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."duplicate_checks"("document_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_pairs" ADD CONSTRAINT "duplicate_pairs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_pairs" ADD CONSTRAINT "duplicate_pairs_first_id_duplicate_checks_document_id_fk" FOREIGN KEY ("first_id") REFERENCES "public"."duplicate_checks"("document_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_pairs" ADD CONSTRAINT "duplicate_pairs_second_id_duplicate_checks_document_id_fk" FOREIGN KEY ("second_id") REFERENCES "public"."duplicate_checks"("document_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "joined_papers" ADD CONSTRAINT "joined_papers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "joined_papers" ADD CONSTRAINT "joined_papers_kept_id_documents_id_fk" FOREIGN KEY ("kept_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "joined_papers" ADD CONSTRAINT "joined_papers_joined_id_documents_id_fk" FOREIGN KEY ("joined_id") REFERENCES "public"."documents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "joined_papers" ADD CONSTRAINT "joined_papers_joined_by_user_id_fk" FOREIGN KEY ("joined_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "duplicate_answers_second" ON "duplicate_answers" USING btree ("second_id");--> statement-breakpoint
CREATE INDEX "duplicate_answers_project" ON "duplicate_answers" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "duplicate_checks_project" ON "duplicate_checks" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "duplicate_checks_waiting" ON "duplicate_checks" USING btree ("project_id","claimed_at") WHERE is_waiting;--> statement-breakpoint
CREATE INDEX "duplicate_keys_document" ON "duplicate_keys" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "duplicate_pairs_second" ON "duplicate_pairs" USING btree ("second_id");--> statement-breakpoint
CREATE INDEX "duplicate_pairs_group" ON "duplicate_pairs" USING btree ("project_id","group_id");--> statement-breakpoint
CREATE INDEX "joined_papers_kept" ON "joined_papers" USING btree ("kept_id","joined_at");--> statement-breakpoint
CREATE INDEX "joined_papers_joined" ON "joined_papers" USING btree ("joined_id");--> statement-breakpoint
CREATE INDEX "joined_papers_project" ON "joined_papers" USING btree ("project_id");