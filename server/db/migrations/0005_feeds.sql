CREATE TABLE "feed_article_marks" (
	"user_id" text NOT NULL,
	"merge_key" text NOT NULL,
	"read" boolean DEFAULT false NOT NULL,
	"starred" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_article_marks_user_id_merge_key_pk" PRIMARY KEY("user_id","merge_key")
);
--> statement-breakpoint
CREATE TABLE "feed_articles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"feed_id" uuid NOT NULL,
	"item_key" text NOT NULL,
	"merge_key" text NOT NULL,
	"title" text NOT NULL,
	"link" text NOT NULL,
	"doi" text,
	"published_at" timestamp with time zone NOT NULL,
	"description" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_articles_item" UNIQUE("feed_id","item_key")
);
--> statement-breakpoint
CREATE TABLE "feeds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"url" text NOT NULL,
	"etag" text,
	"last_modified" text,
	"interval_minutes" integer DEFAULT 60 NOT NULL,
	"next_fetch_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"last_fetched_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feeds_url_unique" UNIQUE("url")
);
--> statement-breakpoint
CREATE TABLE "user_rss_subscription" (
	"user_id" text NOT NULL,
	"journal_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_rss_subscription_project_id_journal_id_pk" PRIMARY KEY("project_id","journal_id")
);
--> statement-breakpoint
ALTER TABLE "feed_article_marks" ADD CONSTRAINT "feed_article_marks_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_articles" ADD CONSTRAINT "feed_articles_feed_id_feeds_id_fk" FOREIGN KEY ("feed_id") REFERENCES "public"."feeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_rss_subscription" ADD CONSTRAINT "user_rss_subscription_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_rss_subscription" ADD CONSTRAINT "user_rss_subscription_journal_id_journals_id_fk" FOREIGN KEY ("journal_id") REFERENCES "public"."journals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_rss_subscription" ADD CONSTRAINT "subscription_project_of_owner" FOREIGN KEY ("project_id","user_id") REFERENCES "public"."projects"("id","owner_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_articles_published" ON "feed_articles" USING btree ("feed_id","published_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "feed_articles_merge" ON "feed_articles" USING btree ("merge_key");--> statement-breakpoint
CREATE INDEX "feeds_due" ON "feeds" USING btree ("next_fetch_at");--> statement-breakpoint
CREATE INDEX "user_rss_subscription_journal" ON "user_rss_subscription" USING btree ("journal_id");