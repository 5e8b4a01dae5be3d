ALTER TABLE "ai_calls" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "ai_calls" ADD CONSTRAINT "ai_calls_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ai_calls_key" ON "ai_calls" USING btree ("key_id","created_at") WHERE key_id is not null;