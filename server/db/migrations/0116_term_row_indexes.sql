DROP INDEX "chunk_terms_term";
--> statement-breakpoint
-- A term is in as many pages of the table as it has documents. This index contains the arrays, so that a search reads the rows of
-- a term from a few pages. Arrays of documents in which more than 200 chunks have the term do not fit into a row of an index.
CREATE INDEX chunk_terms_short ON chunk_terms (project_id, term, document_id) INCLUDE (created_by, positions, counts, lengths)
  WHERE cardinality(positions) <= 200;
--> statement-breakpoint
CREATE INDEX chunk_terms_long ON chunk_terms (project_id, term, document_id) WHERE cardinality(positions) > 200;
--> statement-breakpoint
-- A scan of the index alone needs pages that VACUUM has marked.
ALTER TABLE chunk_terms SET (autovacuum_vacuum_insert_scale_factor = 0.02);
