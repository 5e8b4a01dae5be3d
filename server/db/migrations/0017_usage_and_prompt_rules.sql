-- Every version of a prompt is kept by the database itself, whoever saves it; nobody else writes the history.
CREATE FUNCTION prompt_library_count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.name, NEW.description, NEW.model, NEW.prompt) IS DISTINCT FROM (OLD.name, OLD.description, OLD.model, OLD.prompt) THEN
    NEW.version := OLD.version + 1;
    NEW.updated_at := now();
  ELSE
    NEW.version := OLD.version;
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER prompt_library_version BEFORE UPDATE ON prompt_library
  FOR EACH ROW EXECUTE FUNCTION prompt_library_count_version();
--> statement-breakpoint
CREATE FUNCTION prompt_library_keep_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.version = OLD.version THEN
    RETURN NULL;
  END IF;
  INSERT INTO prompt_versions (prompt_id, version, name, description, model, prompt, saved_by)
    VALUES (NEW.id, NEW.version, NEW.name, NEW.description, NEW.model, NEW.prompt,
      (SELECT id FROM "user" WHERE id = nullif(current_setting('app.user_id', true), '')));
  RETURN NULL;
END
$$;
--> statement-breakpoint
INSERT INTO prompt_versions (prompt_id, version, name, description, model, prompt, created_at)
  SELECT id, version, name, description, model, prompt, created_at FROM prompt_library;
--> statement-breakpoint
CREATE TRIGGER prompt_library_history AFTER INSERT OR UPDATE ON prompt_library
  FOR EACH ROW EXECUTE FUNCTION prompt_library_keep_version();
--> statement-breakpoint
ALTER TABLE prompt_versions ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT ON prompt_versions TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_signed_in ON prompt_versions FOR SELECT TO lectern_app USING (app_user_id() IS NOT NULL);
--> statement-breakpoint
-- Calls are summed up as they are written, a whole statement at a time. Days are those of UTC. What is deleted from
-- ai_calls later stays in the sums; who is deleted (user_id becomes null) is taken out of them by name.
CREATE FUNCTION ai_calls_sum_up() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO ai_usage_daily AS daily (day, person, model, purpose, calls, failed, tokens_in, tokens_out, cost_usd)
    SELECT (created_at AT TIME ZONE 'UTC')::date, coalesce(user_id, ''), model, purpose,
      count(*), count(*) FILTER (WHERE NOT ok), sum(tokens_in), sum(tokens_out), sum(cost_usd)
    FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (day, person, model, purpose) DO UPDATE SET
    calls = daily.calls + excluded.calls, failed = daily.failed + excluded.failed,
    tokens_in = daily.tokens_in + excluded.tokens_in, tokens_out = daily.tokens_out + excluded.tokens_out,
    cost_usd = daily.cost_usd + excluded.cost_usd;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION ai_calls_sum_up_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO ai_usage_daily AS daily (day, person, model, purpose, calls, failed, tokens_in, tokens_out, cost_usd)
    SELECT (created_at AT TIME ZONE 'UTC')::date, coalesce(user_id, ''), model, purpose,
      sum(sign), coalesce(sum(sign) FILTER (WHERE NOT ok), 0), sum(sign * tokens_in), sum(sign * tokens_out), sum(sign * cost_usd)
    FROM (SELECT 1 AS sign, added.* FROM added UNION ALL SELECT -1, removed.* FROM removed) AS both_sides
    GROUP BY 1, 2, 3, 4
    HAVING sum(sign) <> 0 OR sum(sign * cost_usd) <> 0 OR sum(sign * (tokens_in::bigint + tokens_out)) <> 0
    ORDER BY 1, 2, 3, 4
  ON CONFLICT (day, person, model, purpose) DO UPDATE SET
    calls = daily.calls + excluded.calls, failed = daily.failed + excluded.failed,
    tokens_in = daily.tokens_in + excluded.tokens_in, tokens_out = daily.tokens_out + excluded.tokens_out,
    -- Money is added up in binary fractions: what is left of nothing is nothing.
    cost_usd = CASE WHEN abs(daily.cost_usd + excluded.cost_usd) < 1e-9 THEN 0 ELSE daily.cost_usd + excluded.cost_usd END;
  DELETE FROM ai_usage_daily AS daily USING (SELECT DISTINCT (created_at AT TIME ZONE 'UTC')::date AS day, coalesce(user_id, '') AS person FROM removed) AS gone
    WHERE daily.day = gone.day AND daily.person = gone.person AND daily.calls <= 0;
  RETURN NULL;
END
$$;
--> statement-breakpoint
INSERT INTO ai_usage_daily (day, person, model, purpose, calls, failed, tokens_in, tokens_out, cost_usd)
  SELECT (created_at AT TIME ZONE 'UTC')::date, coalesce(user_id, ''), model, purpose,
    count(*), count(*) FILTER (WHERE NOT ok), sum(tokens_in), sum(tokens_out), sum(cost_usd)
  FROM ai_calls GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE TRIGGER ai_calls_added AFTER INSERT ON ai_calls REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION ai_calls_sum_up();
--> statement-breakpoint
CREATE TRIGGER ai_calls_changed AFTER UPDATE ON ai_calls REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION ai_calls_sum_up_change();
--> statement-breakpoint
ALTER TABLE ai_usage_daily ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT ON ai_usage_daily TO lectern_app;
--> statement-breakpoint
-- Asked once a statement, not once a row: there may be a million.
CREATE POLICY read_own_or_admin ON ai_usage_daily FOR SELECT TO lectern_app
  USING (person = (SELECT app_user_id()) OR (SELECT app_is_admin()));
--> statement-breakpoint
ALTER POLICY read_own_or_admin ON ai_calls USING (user_id = (SELECT app_user_id()) OR (SELECT app_is_admin()));
--> statement-breakpoint
ALTER TABLE ai_prices ADD CONSTRAINT ai_prices_not_negative CHECK (dollars_in >= 0 AND dollars_out >= 0);
--> statement-breakpoint
ALTER TABLE ai_prices ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON ai_prices TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_signed_in ON ai_prices FOR SELECT TO lectern_app USING (app_user_id() IS NOT NULL);
--> statement-breakpoint
CREATE POLICY write_admin ON ai_prices TO lectern_app USING (app_is_admin()) WITH CHECK (app_is_admin());
--> statement-breakpoint
ALTER TABLE ai_budgets ADD CONSTRAINT ai_budgets_not_negative CHECK (dollars >= 0 AND (scope = 'person') = (user_id IS NOT NULL));
--> statement-breakpoint
ALTER TABLE ai_budgets ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON ai_budgets TO lectern_app;
--> statement-breakpoint
CREATE POLICY read_own ON ai_budgets FOR SELECT TO lectern_app USING (user_id = app_user_id());
--> statement-breakpoint
CREATE POLICY write_admin ON ai_budgets TO lectern_app USING (app_is_admin()) WITH CHECK (app_is_admin());
