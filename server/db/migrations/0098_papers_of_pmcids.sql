-- Row-level security prevents the use of the index of PMCIDs, because its expression is not leakproof: an import read all
-- documents of the project for each of its batches.
CREATE FUNCTION documents_of_pmcids(project uuid, asked text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp AS $$
  SELECT d.id FROM documents d
  WHERE d.project_id = project AND project = ANY (ARRAY (SELECT app_projects('read')))
    AND upper(d.reference ->> 'PMCID') = ANY (asked)
$$;
