DROP INDEX "feed_articles_published";--> statement-breakpoint
ALTER TABLE "feed_articles" ADD COLUMN "dated" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_articles" ADD COLUMN "shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "feeds" ADD COLUMN "article_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "feed_articles_shared" ON "feed_articles" USING btree ("feed_id","merge_key") WHERE shared;--> statement-breakpoint
CREATE INDEX "feed_articles_published" ON "feed_articles" USING btree ("feed_id","published_at" DESC NULLS FIRST,"id");