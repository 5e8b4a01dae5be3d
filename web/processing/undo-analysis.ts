import { undoneAnalysis } from '#shared/contract/document-edits.ts'
import { api } from '#shared/contract/paths.ts'
import { messageOf, one, request } from '#web/lib/api.ts'
import { documentQuery, refreshDocuments } from '#web/lib/document-queries.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { fieldsInWords } from './edited-fields.tsx'

/**
 * Undoes a repeated analysis and shows the result as a toast. `analyzed_at` identifies the analysis by its time. Fields that
 * were changed after the analysis are not restored.
 */
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
      description: kept.length > 0 ? `Not restored, because it was changed since: ${fieldsInWords(kept)}.` : undefined,
    })
  } catch (error) {
    toast({ title: 'The analysis could not be undone', description: messageOf(error), destructive: true })
  }
}
