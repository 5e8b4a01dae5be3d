DROP INDEX "events_owner";--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "xact" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_active" ON "jobs" USING btree ("document_id","kind") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "events_owner" ON "events" USING btree ("owner_id","xact");