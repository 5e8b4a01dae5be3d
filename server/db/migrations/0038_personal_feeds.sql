ALTER TABLE "feeds" DROP CONSTRAINT "feeds_url_unique";--> statement-breakpoint
DROP INDEX "journals_name";--> statement-breakpoint
ALTER TABLE "feeds" ADD COLUMN "owner_id" text;--> statement-breakpoint
ALTER TABLE "journals" ADD COLUMN "owner_id" text;--> statement-breakpoint
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_owner_id_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journals" ADD CONSTRAINT "journals_owner_id_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "feeds_of_catalogue" ON "feeds" USING btree ("url") WHERE owner_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX "feeds_of_owner" ON "feeds" USING btree ("owner_id","url") WHERE owner_id is not null;--> statement-breakpoint
CREATE INDEX "journals_owner" ON "journals" USING btree ("owner_id") WHERE owner_id is not null;--> statement-breakpoint
CREATE INDEX "journals_user_added" ON "journals" USING btree ("added_by","created_at") WHERE user_added;--> statement-breakpoint
CREATE INDEX "journals_name" ON "journals" USING btree ("name_key","id","openalex_key","owner_id");