-- The search terms of British and American spellings are equal now, so the index of words is built again in the background.
UPDATE indexed_documents SET is_stale = true;
