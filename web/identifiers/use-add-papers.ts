import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AddedPapers, addedPapers, type LookedUpPaper, PAPERS_AT_ONCE } from '#shared/contract/identifiers.ts'
import { api } from '#shared/contract/paths.ts'
import { one, request } from '#web/lib/api.ts'

/** Maximum number of characters of one request, which stays below the server's limit of two megabytes. */
const CHARACTERS_MAX = 500_000

/**
 * Adds papers to a project in several requests of limited size. If a request fails, the papers of the earlier requests stay in
 * the project.
 */
export function useAddPapers(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (papers: readonly LookedUpPaper[]): Promise<AddedPapers> => {
      const all: AddedPapers = { papers: [], created: 0, existing: 0 }
      for (const part of inParts(papers)) {
        const body = { project_id: projectId, papers: part }
        const added = await request(api.identifiersPapers(), { method: 'POST', body, schema: one(addedPapers) })
        all.papers.push(...added.papers)
        all.created += added.created
        all.existing += added.existing
      }
      return all
    },
    onSettled: () => client.invalidateQueries(),
  })
}

function inParts(papers: readonly LookedUpPaper[]): LookedUpPaper[][] {
  const parts: LookedUpPaper[][] = []
  let size = Infinity
  for (const paper of papers) {
    const own = JSON.stringify(paper).length
    const part = parts.at(-1)
    if (!part || part.length === PAPERS_AT_ONCE || size + own > CHARACTERS_MAX) {
      parts.push([paper])
      size = own
    } else {
      part.push(paper)
      size += own
    }
  }
  return parts
}
