-- Failed calls without tokens reported by the provider were counted with an estimate, cost money and used up budgets.
-- The triggers of ai_calls carry the change over to ai_usage_daily.
UPDATE ai_calls SET tokens_in = 0, tokens_out = 0, cost_usd = 0, tokens_estimated = false WHERE NOT ok AND tokens_estimated;
--> statement-breakpoint
-- Rebuilds the daily sums from the calls. A sum stays as it is when some of its calls have been deleted.
UPDATE ai_usage_daily AS daily SET failed = counted.failed, tokens_in = counted.tokens_in, tokens_out = counted.tokens_out,
    cost_usd = counted.cost_usd
  FROM (
    SELECT (created_at AT TIME ZONE 'UTC')::date AS day, coalesce(user_id, '') AS person, model, purpose, count(*) AS calls,
      count(*) FILTER (WHERE NOT ok) AS failed, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out, sum(cost_usd) AS cost_usd
    FROM ai_calls GROUP BY 1, 2, 3, 4
  ) AS counted
  WHERE daily.day = counted.day AND daily.person = counted.person AND daily.model = counted.model
    AND daily.purpose = counted.purpose AND daily.calls = counted.calls;
