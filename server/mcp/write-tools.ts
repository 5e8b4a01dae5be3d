import { z } from 'zod'
import { getDocument, updateDocument } from '#server/documents/index.ts'
import { AppError, publicMessage } from '#server/lib/errors.ts'
import { addPaper, findByDoi } from '#server/lookup/index.ts'
import { getProject } from '#server/projects/index.ts'
import { isDoi } from '#shared/contract/doi.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { referencePatch } from '#shared/contract/reference-edits.ts'
import type { Reference } from '#shared/contract/references.ts'
import { columnsOf } from '#shared/references/columns.ts'
import { type Call, defineTool } from './tool.ts'

const MOST_PAPERS = 50
const TRIES = 3

const failed = z.array(z.object({ id: z.string(), reason: z.string() }))

export const setTagsTool = defineTool({
  name: 'set_tags',
  scope: 'write',
  title: 'Set tags',
  description: 'Adds tags to papers and removes tags from them. Other tags of the papers stay.',
  isIdempotent: true,
  input: z.object({
    document_ids: z.array(z.uuid()).min(1).max(MOST_PAPERS),
    add: z.array(z.string().trim().min(1).max(100)).max(20).default([]),
    remove: z.array(z.string().trim().min(1).max(100)).max(20).default([]),
  }),
  output: z.object({ papers: z.array(z.object({ document_id: z.uuid(), tags: z.array(z.string()) })), failed }),
  run: async ({ actor, signal }, { document_ids, add, remove }) => {
    const papers: { document_id: string; tags: string[] }[] = []
    const refused: z.input<typeof failed> = []
    for (const id of new Set(document_ids)) {
      signal.throwIfAborted()
      try {
        papers.push({ document_id: id, tags: (await changeTags(actor, id, { add, remove })).keywords })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refused.push({
          id,
          reason: error.code === 'not_found' ? 'No paper with that id. Use search_papers.' : error.message,
        })
      }
    }
    return { papers, failed: refused }
  },
})

/** Changes the tags of a paper. Repeats the change if another user changes the paper at the same time. */
async function changeTags(
  actor: Call['actor'],
  id: string,
  { add, remove }: { add: string[]; remove: string[] },
): Promise<DocumentDetail> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await getDocument(actor, id)
    const removed = new Set(remove.map((tag) => tag.toLowerCase()))
    const kept = before.keywords.filter((tag) => !removed.has(tag.toLowerCase()))
    const known = new Set(kept.map((tag) => tag.toLowerCase()))
    const keywords = [...kept, ...new Set(add.filter((tag) => !known.has(tag.toLowerCase())))]
    try {
      return await updateDocument(actor, id, { keywords, version: before.version })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'changed' || attempt === TRIES) throw error
    }
  }
}

/** An item of CSL-JSON with a title. Its id has no effect. */
const cslItem = z
  .looseObject({ title: z.string().trim().min(1).max(2000) })
  .describe('an item of CSL-JSON: type, title, author, issued, container-title, DOI and so on')

export const addPapersTool = defineTool({
  name: 'add_papers',
  scope: 'write',
  title: 'Add papers',
  description:
    'Adds papers to a project by DOI (metadata from OpenAlex and Crossref) or as CSL-JSON items, at most 50. A paper that the project has is not added twice. Open-access PDFs are searched; job_status reports it.',
  isIdempotent: true,
  input: z.object({
    project_id: z.uuid(),
    identifiers: z.array(z.string().trim().min(1).max(500)).max(MOST_PAPERS).default([]).describe('DOIs'),
    items: z.array(cslItem).max(MOST_PAPERS).default([]),
  }),
  output: z.object({
    created: z.array(z.object({ document_id: z.uuid(), title: z.string(), job_id: z.uuid().nullable() })),
    joined: z.array(z.object({ document_id: z.uuid(), title: z.string() })).describe('papers that the project had'),
    failed,
  }),
  missing: 'No project with that id. Use list_projects.',
  run: async ({ actor, signal, report }, { project_id, identifiers, items }) => {
    if (identifiers.length + items.length === 0) throw new AppError('refused', 'Give identifiers or items.')
    if (identifiers.length + items.length > MOST_PAPERS)
      throw new AppError('refused', `At most ${MOST_PAPERS} papers can be added at once.`)
    const project = await getProject(actor, project_id)
    if (!project.may.includes('edit')) throw new AppError('role', 'You may read this project but not change it.')
    const result: {
      created: { document_id: string; title: string; job_id: string | null }[]
      joined: { document_id: string; title: string }[]
      failed: z.input<typeof failed>
    } = { created: [], joined: [], failed: [] }
    const wanted = [
      ...identifiers.map((id) => ({ id, add: () => addByDoi(actor, project_id, id, signal) })),
      ...items.map((item) => ({ id: item.title, add: () => addItem(actor, project_id, item) })),
    ]
    for (const [index, { id, add }] of wanted.entries()) {
      signal.throwIfAborted()
      try {
        const { document, created, job } = await add()
        const title = document.title ?? ''
        if (created) result.created.push({ document_id: document.id, title, job_id: job?.id ?? null })
        else result.joined.push({ document_id: document.id, title })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        result.failed.push({ id, reason: publicMessage(error) })
      }
      await report(((index + 1) / wanted.length) * 100, `Added ${index + 1} of ${wanted.length}`)
    }
    return result
  },
})

async function addByDoi(actor: Call['actor'], project_id: string, id: string, signal: AbortSignal) {
  if (!isDoi(id)) throw new AppError('refused', 'This is not a DOI. A DOI looks like 10.1000/182.')
  const found = await findByDoi(id, signal)
  const facts = found?.said[0]?.facts
  if (!facts) throw new AppError('refused', 'Neither OpenAlex nor Crossref knows this DOI.')
  return addPaper(
    actor,
    {
      project_id,
      title: facts.title,
      doi: facts.doi_link ?? id,
      authors: facts.authors,
      journal: facts.journal_name,
      date: facts.publication_date,
      abstract: facts.abstract,
      semantic_paperid: found.semantic_paperid,
      retracted: found.retracted,
    },
    'api',
  )
}

async function addItem(actor: Call['actor'], project_id: string, item: z.output<typeof cslItem>) {
  const { id: _id, 'citation-key': key, ...fields } = item
  const checked = referencePatch.safeParse({ ...fields, ...(key === undefined ? {} : { 'citation-key': key }) })
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw new AppError('refused', `${issue!.path.join('.')}: ${issue!.message}`)
  }
  const columns = columnsOf(checked.data as Partial<Reference>)
  const added = await addPaper(
    actor,
    {
      project_id,
      title: item.title,
      doi: columns.doi_link,
      authors: columns.authors,
      journal: columns.journal_name,
      date: columns.publication_date,
      abstract: columns.abstract,
    },
    'api',
  )
  if (added.created) await updateDocument(actor, added.document.id, { reference: checked.data })
  return added
}
