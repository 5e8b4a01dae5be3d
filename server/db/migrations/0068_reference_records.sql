-- The documents from before this version, as records of one import for each project (FND-13).
INSERT INTO imports (project_id, created_by, kind, read_count, created_count, created_at)
  SELECT d.project_id, p.owner_id, 'upload', count(*), count(*), min(d.created_at)
  FROM documents d JOIN projects p ON p.id = d.project_id
  WHERE NOT EXISTS (SELECT FROM import_records r WHERE r.document_id = d.id)
  GROUP BY d.project_id, p.owner_id;
--> statement-breakpoint
INSERT INTO import_records (import_id, project_id, position, reference, outcome, document_id)
  SELECT i.id, d.project_id, row_number() OVER (PARTITION BY d.project_id ORDER BY d.created_at, d.id), d.reference, 'created', d.id
  FROM documents d JOIN imports i ON i.project_id = d.project_id AND i.kind = 'upload'
  WHERE NOT EXISTS (SELECT FROM import_records r WHERE r.document_id = d.id)
    AND NOT EXISTS (SELECT FROM import_records r WHERE r.import_id = i.id);
--> statement-breakpoint
SET LOCAL maintenance_work_mem = '256MB';
--> statement-breakpoint
CREATE INDEX "document_search_words" ON "document_search" USING gin ("words" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "document_search_whole" ON "document_search" USING gin ("whole");
