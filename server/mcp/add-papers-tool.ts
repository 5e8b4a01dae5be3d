import { z } from 'zod'
import { asActor } from '#server/db/client.ts'
import { createDocument, documentOrThrow, listSameFiles, receivePdfStream } from '#server/documents/index.ts'
import { addPapers, lookUpLines } from '#server/identifiers/index.ts'
import { listJobs } from '#server/jobs/index.ts'
import { AppError, publicMessage } from '#server/lib/errors.ts'
import { fetchFiles } from '#server/lookup/index.ts'
import { missingScope } from '#server/keys/index.ts'
import { startProcessing } from '#server/processing/index.ts'
import { getProject } from '#server/projects/index.ts'
import { scopeNeeded } from '#shared/contract/api-keys.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import { type PapersInput, papersInput, PAPERS_AT_ONCE } from '#shared/contract/identifiers.ts'
import { PROCESS_STEPS, processInput } from '#shared/contract/processing.ts'
import { type Call, defineTool } from './tool.ts'

const MOST_FILES = 5
/**
 * Maximum number of characters of one file's content in base64, which is 5 MB of data. The body limit in routes.ts limits all
 * files of a call together.
 */
const MOST_CHARACTERS = 7_000_000

/** Schema of a paper in CSL-JSON, which must have a title. The value of `id` is ignored. */
const cslItem = z
  .looseObject({ title: z.string().trim().min(1).max(2000) })
  .describe('an item of CSL-JSON: type, title, author, issued, container-title, DOI and so on')

const file = z.object({
  name: z.string().trim().min(1).max(255).describe('as in paper.pdf'),
  content: z.string().min(1).max(MOST_CHARACTERS).meta({ contentEncoding: 'base64' }).describe('a PDF in base64'),
})

const output = z.object({
  created: z.array(z.object({ document_id: z.uuid(), title: z.string(), job_id: z.uuid().nullable() })),
  joined: z.array(z.object({ document_id: z.uuid(), title: z.string() })).describe('papers that the project had'),
  failed: z.array(z.object({ id: z.string(), reason: z.string() })),
  process_job_id: z
    .uuid()
    .nullable()
    .describe('with `process`: the job after which the given PDFs can be searched; null if they can'),
})
type Result = z.infer<typeof output>

export const addPapersTool = defineTool({
  name: 'add_papers',
  scope: 'write',
  title: 'Add papers',
  description:
    'Adds papers to a project by DOI, PMID, PMCID, arXiv id, ISBN or address, as CSL-JSON items, or as PDFs in base64 (5 MB in all). A paper that the project has is not added twice. Open-access PDFs are searched. `process` makes the given PDFs searchable. job_status reports the jobs.',
  isIdempotent: true,
  input: z.object({
    project_id: z.uuid(),
    identifiers: z.array(z.string().trim().min(1).max(2000)).max(PAPERS_AT_ONCE).default([]),
    items: z.array(cslItem).max(PAPERS_AT_ONCE).default([]),
    files: z.array(file).max(MOST_FILES).default([]),
    process: z
      .boolean()
      .default(false)
      .describe(
        'extracts, analyzes and vectorizes the given PDFs; needs the scope ask. Default: as the project is set',
      ),
  }),
  output,
  missing: 'No project with that id. Use list_projects.',
  run: async (call, { project_id, identifiers, items, files, process }) => {
    const wanted = identifiers.length + items.length + files.length
    if (wanted === 0) throw new AppError('refused', 'Give identifiers, items or files.')
    if (wanted > PAPERS_AT_ONCE) throw new AppError('refused', `At most ${PAPERS_AT_ONCE} papers can be added at once.`)
    const missing = process ? missingScope(call.actor, ['ask']) : undefined
    if (missing) throw new AppError('scope', scopeNeeded(missing))
    if (process && files.length > 0) await call.count('key-ask', 'ai')
    const project = await getProject(call.actor, project_id)
    if (!project.may.includes('edit')) throw new AppError('role', 'You may read this project but not change it.')
    const result: Result = { created: [], joined: [], failed: [], process_job_id: null }
    let done = 0
    const report = () => call.report((++done / wanted) * 100, `Read ${done} of ${wanted}`)
    const found = [
      ...(await findPapers(call, project_id, { identifiers, result, report })),
      ...readItems(items, result.failed),
    ]
    if (found.length > 0) await store(call, project_id, found, result)
    const stored: string[] = []
    for (const one of files) {
      call.signal.throwIfAborted()
      stored.push(...(await addFile(call, project, one, { result, process })))
      await report()
    }
    if (process) result.process_job_id = await processFiles(call, stored)
    return result
  },
})

type Found = PapersInput['papers']

/**
 * Looks up identifiers such as DOIs and returns the papers to add. Papers that the project already contains are recorded in
 * `result.joined`, identifiers for which no paper was found in `result.failed`.
 */
async function findPapers(
  { actor, signal, count }: Call,
  project_id: string,
  { identifiers, result, report }: { identifiers: string[]; result: Result; report: () => Promise<void> },
): Promise<Found> {
  const papers: unknown[] = []
  if (identifiers.length === 0) return []
  await count('look-up')
  for await (const line of lookUpLines(actor, { project_id, lines: identifiers }, signal)) {
    const { document, paper, message } = line
    if (paper) papers.push(paper)
    else if (document) result.joined.push({ document_id: document.id, title: documentTitle(document) })
    else result.failed.push({ id: identifiers[line.line]!, reason: message ?? 'No service knows this paper.' })
    await report()
  }
  return papers.map((paper) => papersInput.shape.papers.element.parse(paper))
}

/** Returns CSL-JSON items as papers to add. Adds items with a value that a reference cannot have to `failed`. */
function readItems(items: readonly z.output<typeof cslItem>[], failed: Result['failed']): Found {
  return items.flatMap(({ id: _id, ...reference }) => {
    const { data, error } = papersInput.shape.papers.element.safeParse({ reference })
    if (data) return [data]
    const [issue] = error.issues
    failed.push({ id: reference.title, reason: `${issue!.path.slice(1).join('.')}: ${issue!.message}` })
    return []
  })
}

async function store({ actor, count }: Call, project_id: string, papers: Found, result: Result) {
  await count('upload')
  const { papers: added } = await addPapers(actor, { project_id, papers }, 'api')
  const jobs = await fetchFiles(
    actor,
    added.flatMap(({ created, document_id }) => (created ? [document_id] : [])),
  )
  for (const [index, { document_id, created }] of added.entries()) {
    const title = papers[index]!.reference.title!
    if (created) result.created.push({ document_id, title, job_id: jobs.get(document_id)?.id ?? null })
    else result.joined.push({ document_id, title })
  }
}

/**
 * Stores a PDF like an upload, unless the project already has the file. Returns a list with the id of its paper. After a
 * failure, adds it to `result.failed` and returns an empty list.
 */
async function addFile(
  { actor, count }: Call,
  project: { id: string; name: string },
  { name, content }: z.output<typeof file>,
  { result, process }: { result: Result; process: boolean },
): Promise<string[]> {
  try {
    await count('key-upload', 'upload')
    const body = new Blob([Buffer.from(content, 'base64')]).stream()
    // One run processes all files of the call.
    const fields: Record<string, string> = process ? { process_automatically: 'false' } : {}
    const received = await receivePdfStream(body, name, { project_id: project.id, ...fields })
    try {
      const [same] = await listSameFiles(actor, { content_hash: received.sha256, project_id: project.id })
      if (same) {
        result.joined.push({ document_id: same.id, title: documentTitle(same) })
        return [same.id]
      }
      const document = await createDocument(actor, received, 'api')
      // The extraction of its text, if the project processes new papers.
      const { data } = await listJobs(actor, { document_id: document.id, active: 'true' }, 1, 1)
      result.created.push({ document_id: document.id, title: documentTitle(document), job_id: data[0]?.id ?? null })
      return [document.id]
    } finally {
      await received.remove()
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    result.failed.push({ id: name, reason: publicMessage(error) })
    return []
  }
}

/** Queues one job that makes papers searchable and returns its id; null if all papers are searchable already. */
async function processFiles({ actor }: Call, ids: readonly string[]): Promise<string | null> {
  const waiting = await asActor(actor, async (tx) => {
    const found = []
    for (const id of new Set(ids)) found.push(await documentOrThrow(tx, id, 'edit'))
    return found.flatMap(({ id, vectorized_at }) => (vectorized_at === null ? [id] : []))
  })
  if (waiting.length === 0) return null
  const input = { document_ids: waiting, steps: PROCESS_STEPS, method: 'auto' }
  return (await startProcessing(actor, processInput.parse(input))).id
}
