import { queryOptions, useMutation } from '@tanstack/react-query'
import { DEFAULT_STYLE } from '#shared/contract/citation-styles.ts'
import { addedStyle, citations, citationStyles, type CitationInput } from '#shared/contract/citations.ts'
import { api } from '#shared/contract/paths.ts'
import type { Reference } from '#shared/contract/references.ts'
import { anything, many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** Query: the available citation styles and languages. */
export const citationStylesQuery = queryOptions({
  queryKey: ['citation-styles'],
  queryFn: ({ signal }) => request(api.citationStyles(), { schema: citationStyles, signal }),
})

/**
 * Returns the id of a default or last used style; DEFAULT_STYLE if an admin has deleted it. Only styles that admins added can
 * be deleted. Their ids are URLs.
 */
async function existingStyle(id: string): Promise<string> {
  if (!id.includes(':')) return id
  const { data } = await queryClient.query(citationStylesQuery)
  return data.some((style) => style.id === id) ? id : DEFAULT_STYLE
}

/**
 * The input of a citation: the ids of the papers, the citation style and the language (`locale`). If the style was deleted by
 * an admin, the citation is in DEFAULT_STYLE. Without `locale`, it is in the default language.
 */
export type Wanted = Pick<CitationInput, 'ids' | 'locale'> & { style: string }

const cite = (body: CitationInput, signal?: AbortSignal) =>
  request(api.citations(), { method: 'POST', body, schema: one(citations), ...(signal ? { signal } : {}) })

/** Fetches the formatted citations of papers from the server, once as HTML and once as plain text. */
export async function fetchCitations(wanted: Wanted, signal?: AbortSignal) {
  const body = { ...wanted, style: await existingStyle(wanted.style) }
  const [html, text] = await Promise.all([
    cite({ ...body, output: 'html' }, signal),
    cite({ ...body, output: 'text' }, signal),
  ])
  return { html, text }
}

/**
 * Query: the formatted citations of papers, as HTML and as plain text. The key of the query begins with the key of the first
 * paper, so that a change of this paper refetches the citations.
 */
export const citationsQuery = (wanted: Wanted) =>
  queryOptions({
    queryKey: ['document', wanted.ids[0], 'citations', wanted],
    queryFn: ({ signal }) => fetchCitations(wanted, signal),
  })

/**
 * Query: the formatted citation of a reference that is not stored on the server. `reference` is the reference as JSON text. If
 * `language` is null, the server uses the default language.
 */
export const citationPreviewQuery = (reference: string, style: string, language: string | null) =>
  queryOptions({
    queryKey: ['citation-preview', reference, style, language],
    queryFn: async ({ signal }) =>
      request(api.citationPreview(), {
        method: 'POST',
        body: {
          reference: JSON.parse(reference) as Reference,
          style: await existingStyle(style),
          ...(language ? { language } : {}),
        },
        schema: one(citations),
        signal,
      }),
    gcTime: 0,
  })

/** The styles that admins added, newest first. */
export const addedStylesQuery = queryOptions({
  queryKey: ['added-styles'],
  queryFn: ({ signal }) => request(api.addedStyles(), { schema: many(addedStyle), signal }),
})

const refreshStyles = () =>
  Promise.all(
    [addedStylesQuery, citationStylesQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
  )

/** Mutation: adds a style from the text of its file. */
export const useAddStyle = () =>
  useMutation({
    mutationFn: (xml: string) => request(api.addedStyles(), { method: 'POST', body: { xml }, schema: one(addedStyle) }),
    onSuccess: refreshStyles,
  })

/** Mutation: deletes a style. */
export const useDeleteStyle = () =>
  useMutation({
    mutationFn: (id: string) => request(api.addedStyle(id), { method: 'DELETE', schema: anything }),
    onSettled: refreshStyles,
  })
