-- The plan of this query stays for a whole transaction. The statistics of an empty or a small table led to a scan of all
-- documents for each new one, so that 50,000 documents in one statement took an hour.
CREATE OR REPLACE FUNCTION has_citation_key(project uuid, wanted text, own uuid) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT EXISTS (SELECT FROM documents d
    WHERE (d.project_id::text || ' ' || lower(d.reference ->> 'citation-key')) = project::text || ' ' || lower(wanted) AND d.id <> own)
$$;
--> statement-breakpoint
ALTER FUNCTION free_citation_key(uuid, text, uuid) SET enable_seqscan = off;
