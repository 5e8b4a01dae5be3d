CREATE TABLE "citation_styles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"style_id" text NOT NULL,
	"title" text NOT NULL,
	"xml" text NOT NULL,
	"bytes" integer NOT NULL,
	"parent" text,
	"locale" text,
	"added_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "citation_style" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "citation_language" text;--> statement-breakpoint
ALTER TABLE "citation_styles" ADD CONSTRAINT "citation_styles_added_by_user_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "citation_styles_style_id" ON "citation_styles" USING btree ("style_id");