-- What the merged list of a project is read by. A page is read down the dates of all feeds, or feed by feed; neither reads
-- the articles themselves, so that the columns that decide stand in the index.
CREATE INDEX feed_articles_newest ON feed_articles (published_at DESC, id) INCLUDE (feed_id, shared);
--> statement-breakpoint
UPDATE feed_articles a SET shared = true
  FROM (SELECT merge_key FROM feed_articles GROUP BY merge_key HAVING count(*) > 1) twins
  WHERE a.merge_key = twins.merge_key;
--> statement-breakpoint
UPDATE feeds SET article_count = (SELECT count(*) FROM feed_articles WHERE feed_articles.feed_id = feeds.id);
--> statement-breakpoint
CREATE INDEX feed_articles_words ON feed_articles USING gin (to_tsvector('english', search_plain(title || ' ' || description)));
--> statement-breakpoint
-- Asked once for a statement, not for each of the articles that it passes.
ALTER POLICY read_signed_in ON feed_articles USING ((SELECT app_user_id()) IS NOT NULL);
--> statement-breakpoint
-- The index of words is never used under row-level security, whose filter must come first, row by row. Whoever is signed in
-- may read every article, so that this function, which runs as the owner of the tables, asks for no more than that.
CREATE FUNCTION search_feed_articles(feeds uuid[], asked tsquery)
RETURNS TABLE (id uuid, feed_id uuid, shared boolean, published_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 5000 SET search_path = public, pg_temp AS $$
  SELECT a.id, a.feed_id, a.shared, a.published_at FROM feed_articles a
  WHERE (SELECT app_user_id()) IS NOT NULL AND a.feed_id = ANY (feeds)
    AND to_tsvector('english', search_plain(a.title || ' ' || a.description)) @@ asked
$$;
--> statement-breakpoint
-- Nobody else is served by it.
REVOKE ALL ON FUNCTION search_feed_articles(uuid[], tsquery) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION search_feed_articles(uuid[], tsquery) TO lectern_app;
