const KEPT = '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11'
const JOINED = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'

/**
 * Example request bodies of the routes that find and join (merge) duplicate papers, for the API documentation. The key is
 * method and path.
 */
export const DUPLICATE_EXAMPLES: Record<string, unknown> = {
  'POST /api/duplicates/join': { keep_id: KEPT, join_ids: [JOINED], fields: { title: JOINED } },
  'POST /api/duplicates/refuse': { ids: [KEPT, JOINED] },
  'POST /api/duplicates/accept': { ids: [KEPT, JOINED] },
  'POST /api/duplicates/later': { ids: [KEPT, JOINED] },
}
