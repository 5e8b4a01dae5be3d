ALTER TABLE "documents" ADD COLUMN "offered_text" jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "error_code" text;