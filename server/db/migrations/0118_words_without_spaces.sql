-- The search terms of Chinese, Japanese, Thai, Lao, Khmer and Burmese are words now, and not the text between punctuation marks,
-- so the index of words is built again in the background.
UPDATE indexed_documents SET is_stale = true;
