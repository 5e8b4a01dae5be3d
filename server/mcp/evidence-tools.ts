import { z } from 'zod'
import { embeddingModel } from '#server/ai/index.ts'
import { answerRecorded, embedQuery } from '#server/chat/index.ts'
import { asActor } from '#server/db/client.ts'
import { findEvidence, verifyInProject } from '#server/evidence/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { retrieve, searchableDocument } from '#server/retrieval/index.ts'
import { evidence } from '#shared/contract/evidence.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import { passageMatch } from '#shared/contract/passages.ts'
import { searchProject } from './project-tools.ts'
import { findPaper, NO_PAPER } from './read-tools.ts'
import { type Call, defineTool } from './tool.ts'

const MOST_DOCUMENTS = 20
const NO_PROJECT_OR_PAPER = 'No paper or project with that id. Use search_papers or list_projects.'

const passage = z.object({
  document_id: z.uuid(),
  title: z.string(),
  text: z.string().describe('the paragraph around the passage'),
  similarity: z.number().describe('0 to 1'),
  evidence,
  link: z.string().nullable(),
})

export const searchPassagesTool = defineTool({
  name: 'search_passages',
  scope: 'read',
  title: 'Search passages',
  description:
    'Finds the passages of a project, or of up to 20 vectorized papers, that answer a question or contain its words, best first, each with its quote, page and link.',
  input: z.object({
    document_ids: z.array(z.uuid()).min(1).max(MOST_DOCUMENTS).optional(),
    project_id: z.uuid().optional().describe('searches all papers of the project'),
    query: z.string().trim().min(1).max(2000),
    limit: z.number().int().min(1).max(20).default(8),
  }),
  hasContent: true,
  output: z.object({
    passages: z.array(passage),
    not_searched: z.array(z.object({ document_id: z.uuid(), reason: z.string() })),
  }),
  missing: NO_PROJECT_OR_PAPER,
  run: async (call, { document_ids, project_id, query, limit }) => {
    const { actor, signal, report } = call
    if (project_id !== undefined && document_ids === undefined)
      return { passages: await searchProject(call, project_id, query, limit), not_searched: [] }
    if (document_ids === undefined || project_id !== undefined)
      throw new AppError('refused', 'Give either document_ids or project_id.')
    const ids = [...new Set(document_ids)]
    const papers = await asActor(actor, async (tx) => {
      const opened = []
      for (const id of ids) opened.push(await findPaper(tx, id, 'read'))
      return opened
    })
    const vector = await vectorOf(call, query)
    const found: z.input<typeof passage>[] = []
    const not_searched: { document_id: string; reason: string }[] = []
    for (const [index, { row, link }] of papers.entries()) {
      signal.throwIfAborted()
      try {
        const { wordsOnly } = await searchableDocument(actor, row.id, 'read')
        const question = { text: query, vector: wordsOnly ? null : vector }
        const { passages } = await retrieve(actor, row.id, question, { signal, limit, right: 'read' })
        const wanted = passages.map(({ content, page_number, page_offset, start, end }) => ({
          quote: content.slice(start - page_offset, end - page_offset) || content,
          nearPage: page_number,
        }))
        const places = await findEvidence(actor, row.id, wanted, signal)
        for (const [at, { content, similarity }] of passages.entries())
          found.push({
            document_id: row.id,
            title: documentTitle(row),
            text: content,
            similarity,
            evidence: places[at]!,
            link,
          })
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'not_found') throw error
        not_searched.push({ document_id: row.id, reason: error.message })
      }
      await report(((index + 1) / papers.length) * 100, `Searched ${index + 1} of ${papers.length} papers`)
    }
    const passages = found.toSorted((one, other) => other.similarity - one.similarity).slice(0, limit)
    return { passages, not_searched }
  },
})

/**
 * Returns the embedding of a question, or null for a search by words only. It is null if there is no embedding model, or if the
 * model costs tokens (a provider's model) and the key lacks the scope 'ask'.
 */
async function vectorOf({ actor, signal, count }: Call, query: string): Promise<Float32Array | null> {
  const { hasVectors, isFree } = embeddingModel()
  if (!hasVectors || (!isFree && !actor.key.scopes.includes('ask'))) return null
  if (!isFree) await count('key-ask', 'ai')
  return embedQuery(actor, query, { signal })
}

export const verifyQuoteTool = defineTool({
  name: 'verify_quote',
  scope: 'read',
  title: 'Verify a quote',
  description:
    'Checks whether a quote is in a paper, or in a paper of a project, and on which page. Compares exactly, then letters and digits only, then approximately. Use it for every citation before you show it.',
  input: z.object({
    quote: z.string().trim().min(1).max(2000),
    document_id: z.uuid().optional(),
    project_id: z
      .uuid()
      .optional()
      .describe('searches up to 200 papers, first those that contain the words of the quote'),
  }),
  hasContent: true,
  output: z.object({
    found: z.boolean(),
    match: passageMatch,
    score: z.number(),
    page: z.number().int().nullable(),
    text: z.string().nullable().describe('the exact text at that place'),
    document_id: z.uuid().nullable(),
    evidence: evidence.nullable(),
    link: z.string().nullable(),
    searched: z.number().int().describe('papers that were searched'),
    not_searched: z.number().int().describe('papers to search that were not searched in time'),
  }),
  missing: NO_PROJECT_OR_PAPER,
  run: async ({ actor, signal }, { quote, document_id, project_id }) => {
    if ((document_id === undefined) === (project_id === undefined))
      throw new AppError('refused', 'Give either document_id or project_id.')
    const { best, searched, chosen } =
      document_id === undefined
        ? await verifyInProject(actor, project_id!, quote, signal)
        : { best: (await findEvidence(actor, document_id, [{ quote }], signal))[0]!, searched: 1, chosen: 1 }
    const isFound = best !== null && best.match !== 'none'
    const id = isFound ? best.document_id : null
    const paper = id === null ? null : await asActor(actor, (tx) => findPaper(tx, id, 'read'))
    return {
      found: isFound,
      match: best?.match ?? 'none',
      score: best?.score ?? 0,
      page: best?.page ?? null,
      text: isFound ? best.quote : null,
      document_id: id,
      evidence: isFound ? best : null,
      link: paper?.link ?? null,
      searched,
      not_searched: isFound ? 0 : chosen - searched,
    }
  },
})

export const askPaperTool = defineTool({
  name: 'ask_paper',
  scope: 'ask',
  title: 'Ask a paper',
  description:
    'Answers a question from one vectorized paper. Every sentence has the evidence that the server found for it; a sentence without found evidence is not supported. Costs tokens of the installation.',
  input: z.object({ document_id: z.uuid(), question: z.string().trim().min(1).max(4000) }),
  hasContent: true,
  output: z.object({
    sentences: z.array(z.object({ text: z.string(), supported: z.boolean(), evidence: z.array(evidence) })),
    sources: z.array(z.object({ text: z.string(), page: z.number().int(), similarity: z.number() })),
    model: z.string(),
    link: z.string().nullable(),
    run_id: z.uuid().nullable().describe('null for a paper without a project'),
  }),
  missing: NO_PAPER,
  run: async ({ actor, signal, count, report }, { document_id, question }) => {
    const { link } = await asActor(actor, (tx) => findPaper(tx, document_id, 'ask'))
    await count('key-ask', 'ai')
    await report(10, 'Searching the paper')
    const answer = await answerRecorded(actor, document_id, question, { via: 'mcp', signal })
    return {
      sentences: answer.sentences.map((sentence) => ({
        ...sentence,
        supported: sentence.evidence.some(({ match }) => match !== 'none'),
      })),
      sources: answer.sources.map(({ content, page_number, similarity }) => ({
        text: content,
        page: page_number,
        similarity,
      })),
      model: answer.model,
      link,
      run_id: answer.runId,
    }
  },
})
