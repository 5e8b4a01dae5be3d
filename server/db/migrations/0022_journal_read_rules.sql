-- The rules of both tables asked for each of 260,000 rows who is asking. In a subquery they ask once a statement, and a
-- rule for admins that also bound reading was asked for nothing.
DROP POLICY read_signed_in ON journals;
--> statement-breakpoint
DROP POLICY write_admin ON journals;
--> statement-breakpoint
DROP POLICY read_signed_in ON excluded_journals;
--> statement-breakpoint
DROP POLICY write_admin ON excluded_journals;
--> statement-breakpoint
DO $$
DECLARE
  shelf text;
BEGIN
  FOREACH shelf IN ARRAY ARRAY['journals', 'excluded_journals'] LOOP
    EXECUTE format('CREATE POLICY read_signed_in ON %I FOR SELECT TO lectern_app USING ((SELECT app_user_id()) IS NOT NULL)', shelf);
    EXECUTE format('CREATE POLICY add_admin ON %I FOR INSERT TO lectern_app WITH CHECK ((SELECT app_is_admin()))', shelf);
    EXECUTE format('CREATE POLICY change_admin ON %I FOR UPDATE TO lectern_app USING ((SELECT app_is_admin())) WITH CHECK ((SELECT app_is_admin()))', shelf);
    EXECUTE format('CREATE POLICY delete_admin ON %I FOR DELETE TO lectern_app USING ((SELECT app_is_admin()))', shelf);
  END LOOP;
END
$$;
