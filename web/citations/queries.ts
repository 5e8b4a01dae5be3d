import { queryOptions } from '@tanstack/react-query'
import { citations, citationStyles, type CitationInput } from '#shared/contract/citations.ts'
import { api } from '#shared/contract/paths.ts'
import { one, request } from '#web/lib/api.ts'

/** The styles and languages. They change with the version of the server only. */
export const citationStylesQuery = queryOptions({
  queryKey: ['citation-styles'],
  queryFn: ({ signal }) => request(api.citationStyles(), { schema: citationStyles, signal }),
  staleTime: Infinity,
})

/** Papers of one citation in a style; without `locale` in the language of the style. */
export type Wanted = Pick<CitationInput, 'ids' | 'style' | 'locale'>

const cite = (body: CitationInput, signal?: AbortSignal) =>
  request(api.citations(), { method: 'POST', body, schema: one(citations), ...(signal ? { signal } : {}) })

/** Returns citations as HTML and as text. */
export async function fetchCitations(wanted: Wanted, signal?: AbortSignal) {
  const [html, text] = await Promise.all([
    cite({ ...wanted, output: 'html' }, signal),
    cite({ ...wanted, output: 'text' }, signal),
  ])
  return { html, text }
}

/** Citations of papers. The key begins with that of the document: a change of the paper refetches them. */
export const citationsQuery = (wanted: Wanted) =>
  queryOptions({
    queryKey: ['document', wanted.ids[0], 'citations', wanted],
    queryFn: ({ signal }) => fetchCitations(wanted, signal),
  })
