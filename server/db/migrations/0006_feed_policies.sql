-- The catalogue of feeds and their articles is read by everyone who is signed in and written by the server alone.
ALTER TABLE feeds ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT ON feeds TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_signed_in ON feeds FOR SELECT TO lectern_app USING (app_user_id() IS NOT NULL);
--> statement-breakpoint
ALTER TABLE feed_articles ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT ON feed_articles TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_signed_in ON feed_articles FOR SELECT TO lectern_app USING (app_user_id() IS NOT NULL);
--> statement-breakpoint
ALTER TABLE user_rss_subscription ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON user_rss_subscription TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON user_rss_subscription TO lectern_app USING (user_id = app_user_id()) WITH CHECK (user_id = app_user_id());
--> statement-breakpoint
ALTER TABLE feed_article_marks ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON feed_article_marks TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON feed_article_marks TO lectern_app USING (user_id = app_user_id()) WITH CHECK (user_id = app_user_id());
--> statement-breakpoint
CREATE INDEX journals_feed_url ON journals (rss_feed_url) WHERE rss_feed_url IS NOT NULL;
