ALTER TABLE "session" ADD COLUMN "proved_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
-- Whoever is signed in proved it then.
UPDATE session SET proved_at = created_at;
