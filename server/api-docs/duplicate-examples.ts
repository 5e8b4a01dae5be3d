const KEPT = '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11'
const JOINED = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'

/** Valid example bodies of the routes that find and join duplicate papers. */
export const DUPLICATE_EXAMPLES: Record<string, unknown> = {
  'POST /api/duplicates/join': { keep_id: KEPT, join_ids: [JOINED], fields: { title: JOINED } },
  'POST /api/duplicates/refuse': { ids: [KEPT, JOINED] },
  'POST /api/duplicates/accept': { ids: [KEPT, JOINED] },
  'POST /api/duplicates/later': { ids: [KEPT, JOINED] },
}
