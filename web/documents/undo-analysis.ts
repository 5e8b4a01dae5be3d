import { undoneAnalysis } from '#shared/documents.ts'
import { api } from '#shared/paths.ts'
import { messageOf, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { fieldsInWords } from './edited-fields.tsx'
import { documentQuery, refreshDocuments } from './queries.ts'

/** Undoes the repeated analysis of that time and says how it went. Fields that changed since stay. */
export async function undoAnalysis(id: string, analyzed_at: string): Promise<void> {
  try {
    const { document, kept } = await request(api.documentUndoAnalysis(id), {
      method: 'POST',
      body: { analyzed_at },
      schema: one(undoneAnalysis),
    })
    queryClient.setQueryData(documentQuery(id).queryKey, document)
    refreshDocuments()
    void queryClient.invalidateQueries({ queryKey: ['tags'] })
    toast({
      title: 'Analysis undone',
      description: kept.length > 0 ? `Changed since and left as it is: ${fieldsInWords(kept)}.` : undefined,
    })
  } catch (error) {
    toast({ title: 'The analysis could not be undone', description: messageOf(error), destructive: true })
  }
}
