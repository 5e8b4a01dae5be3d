CREATE TABLE "trash_pass" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"began_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trash_pass_one_row" CHECK (id = 1)
);
--> statement-breakpoint
DROP TABLE "clock" CASCADE;