ALTER TABLE "invitations" ADD COLUMN "claimed_email" text;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "claimed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "invitations_claimed_email" ON "invitations" USING btree ("claimed_email");