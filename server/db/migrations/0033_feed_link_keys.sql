ALTER TABLE "feed_articles" ADD COLUMN "link_key" text;--> statement-breakpoint
CREATE INDEX "feed_articles_link" ON "feed_articles" USING btree ("link_key") WHERE doi is not null;