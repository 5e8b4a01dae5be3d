-- A feed could give its DOI to the articles of other feeds at the same link. These lose it, unless their own link holds
-- it, and are known by their link again. Their feeds are read whole the next time, which restores the DOIs that they give.
CREATE TEMPORARY TABLE named_by_others ON COMMIT DROP AS
  SELECT a.id, a.feed_id, a.merge_key, a.link_key FROM feed_articles a
  WHERE a.doi IS NOT NULL AND a.link_key IS NOT NULL AND position(a.doi IN lower(a.link)) = 0
    AND EXISTS (SELECT 1 FROM feed_articles b WHERE b.link_key = a.link_key AND b.doi IS NOT NULL AND b.feed_id <> a.feed_id);
--> statement-breakpoint
INSERT INTO feed_article_marks AS own (user_id, merge_key, read, starred, updated_at)
  SELECT m.user_id, n.link_key, bool_or(m.read), bool_or(m.starred), max(m.updated_at)
  FROM feed_article_marks m JOIN named_by_others n ON n.merge_key = m.merge_key
  GROUP BY m.user_id, n.link_key
  ON CONFLICT (user_id, merge_key) DO UPDATE SET read = own.read OR excluded.read, starred = own.starred OR excluded.starred;
--> statement-breakpoint
UPDATE feed_articles a SET doi = NULL, merge_key = n.link_key FROM named_by_others n WHERE a.id = n.id;
--> statement-breakpoint
UPDATE feeds SET etag = NULL, last_modified = NULL WHERE id IN (SELECT feed_id FROM named_by_others);
--> statement-breakpoint
DROP INDEX "feed_articles_link";--> statement-breakpoint
DROP INDEX "feed_articles_shared";--> statement-breakpoint
ALTER TABLE "feed_articles" ADD COLUMN "copy_key" uuid GENERATED ALWAYS AS (md5(lower(regexp_replace(title, '[[:space:][:punct:]]+', '', 'g')) || E'\n' || merge_key)::uuid) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_articles" ADD COLUMN "link_copy_key" uuid GENERATED ALWAYS AS (md5(lower(regexp_replace(title, '[[:space:][:punct:]]+', '', 'g')) || E'\n' || link_key)::uuid) STORED;--> statement-breakpoint
CREATE INDEX "feed_articles_copy" ON "feed_articles" USING btree ("copy_key");--> statement-breakpoint
CREATE INDEX "feed_articles_link_copy" ON "feed_articles" USING btree ("link_copy_key");--> statement-breakpoint
CREATE INDEX "feed_articles_shared" ON "feed_articles" USING btree ("feed_id","copy_key","link_copy_key","created_at","published_at","id") WHERE shared;
--> statement-breakpoint
UPDATE feed_articles a SET shared = true WHERE NOT a.shared AND (
  EXISTS (SELECT 1 FROM feed_articles b WHERE b.copy_key = a.copy_key AND b.id <> a.id)
  OR EXISTS (SELECT 1 FROM feed_articles b WHERE b.link_copy_key = a.link_copy_key AND b.id <> a.id));
