DROP INDEX "chunk_terms_term";--> statement-breakpoint
CREATE INDEX "chunk_terms_term" ON "chunk_terms" USING btree ("project_id","term","document_id");