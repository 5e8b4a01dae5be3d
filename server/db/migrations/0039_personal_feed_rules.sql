-- A journal that a person added with its feed is that person's until an administrator adopts it. Where an administrator
-- set the address, the journal stays in the catalogue.
CREATE TEMPORARY TABLE personal ON COMMIT DROP AS
  SELECT j.id, j.name, j.rss_feed_url AS url, j.added_by FROM journals j
  WHERE j.user_added AND j.rss_feed_url IS NOT NULL AND j.openalex_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM audit_log a
    WHERE a.subject_id = j.id::text AND a.action = 'journal.changed' AND a.details ? 'rss_feed_url');
--> statement-breakpoint
-- Others who follow one get an entry of their own, unless the address has a query, which may be a secret.
INSERT INTO journals (name, rss_feed_url, added_by, user_added, owner_id)
  SELECT DISTINCT p.name, p.url, s.user_id, true, s.user_id
  FROM personal p JOIN user_rss_subscription s ON s.journal_id = p.id
  WHERE s.user_id IS DISTINCT FROM p.added_by AND position('?' IN p.url) = 0;
--> statement-breakpoint
INSERT INTO user_rss_subscription (user_id, journal_id, project_id, created_at)
  SELECT s.user_id, j.id, s.project_id, s.created_at
  FROM personal p JOIN user_rss_subscription s ON s.journal_id = p.id
  JOIN journals j ON j.owner_id = s.user_id AND j.rss_feed_url = p.url AND j.name = p.name
  WHERE s.user_id IS DISTINCT FROM p.added_by
  ON CONFLICT DO NOTHING;
--> statement-breakpoint
DELETE FROM user_rss_subscription s USING personal p WHERE s.journal_id = p.id AND s.user_id IS DISTINCT FROM p.added_by;
--> statement-breakpoint
-- Of accounts that are gone.
DELETE FROM journals WHERE id IN (SELECT id FROM personal WHERE added_by IS NULL);
--> statement-breakpoint
UPDATE journals SET owner_id = added_by WHERE id IN (SELECT id FROM personal);
--> statement-breakpoint
-- Documents keep the name.
UPDATE documents d SET journal_id = NULL FROM journals j WHERE j.id = d.journal_id AND j.owner_id <> d.owner_id;
--> statement-breakpoint
UPDATE feeds f SET owner_id = (
    SELECT j.owner_id FROM journals j WHERE j.rss_feed_url = f.url ORDER BY j.created_at LIMIT 1)
  WHERE NOT EXISTS (SELECT 1 FROM journals j WHERE j.rss_feed_url = f.url AND j.owner_id IS NULL);
--> statement-breakpoint
DELETE FROM feeds f USING personal p
  WHERE p.added_by IS NULL AND f.url = p.url AND NOT EXISTS (SELECT 1 FROM journals j WHERE j.rss_feed_url = f.url);
--> statement-breakpoint
-- Administrators see that these journals exist only in a transaction that asks for it, and never their feeds and articles.
CREATE FUNCTION app_sees_personal() RETURNS boolean LANGUAGE sql STABLE
  AS $$ SELECT coalesce(current_setting('app.sees_personal', true), '') = 'on' AND app_is_admin() $$;
--> statement-breakpoint
ALTER POLICY read_signed_in ON journals USING ((SELECT app_user_id()) IS NOT NULL
  AND (owner_id IS NULL OR owner_id = (SELECT app_user_id()) OR (SELECT app_sees_personal())));
--> statement-breakpoint
-- People add names to the catalogue, and feeds for themselves.
ALTER POLICY add_by_name ON journals WITH CHECK (user_added AND added_by = app_user_id()
  AND (owner_id = app_user_id() OR owner_id IS NULL AND rss_feed_url IS NULL));
--> statement-breakpoint
ALTER POLICY read_signed_in ON feeds USING ((SELECT app_user_id()) IS NOT NULL
  AND (owner_id IS NULL OR owner_id = (SELECT app_user_id())));
--> statement-breakpoint
-- The rule of feeds applies inside: who sees the feed sees its articles.
ALTER POLICY read_signed_in ON feed_articles USING ((SELECT app_user_id()) IS NOT NULL AND feed_id IN (SELECT id FROM feeds));
--> statement-breakpoint
-- The functions that run as the owner of the tables apply the same rules themselves.
DROP FUNCTION search_feed_articles(uuid[], tsquery);
--> statement-breakpoint
CREATE FUNCTION search_feed_articles(chosen uuid[], asked tsquery)
RETURNS TABLE (id uuid, feed_id uuid, shared boolean, published_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 5000 SET search_path = public, pg_temp AS $$
  SELECT a.id, a.feed_id, a.shared, a.published_at FROM feed_articles a
  WHERE (SELECT app_user_id()) IS NOT NULL
    AND a.feed_id = ANY (ARRAY(
      SELECT f.id FROM feeds f
      WHERE f.id = ANY (chosen) AND (f.owner_id IS NULL OR f.owner_id = (SELECT app_user_id()))))
    AND to_tsvector('english', search_plain(a.title || ' ' || a.description)) @@ asked
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION search_feed_articles(uuid[], tsquery) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION search_feed_articles(uuid[], tsquery) TO lectern_app;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_journals(pattern text) RETURNS TABLE (id uuid, name_key text, openalex_key text)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 1000 SET search_path = public, pg_temp AS $$
  SELECT j.id, j.name_key, j.openalex_key FROM journals j
  WHERE (SELECT app_user_id()) IS NOT NULL
    AND (j.owner_id IS NULL OR j.owner_id = (SELECT app_user_id()) OR (SELECT app_sees_personal()))
    AND lower(j.name || E'\u0001' || coalesce(j.publisher, '') || E'\u0001' || coalesce(j.issn_l, '')) LIKE lower(pattern)
$$;
