import { z } from 'zod'
import { embeddingModel } from '#server/ai/index.ts'
import { answerProject } from '#server/conversations/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { findEvidence } from '#server/evidence/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { checkProject } from '#server/projects/index.ts'
import { findPassagesFor } from '#server/search/index.ts'
import {
  libraryAnswer,
  LONGEST_QUESTION,
  MOST_SCOPE_PAPERS,
  questionStatus,
  sentenceMark,
  unsupportedSentence,
} from '#shared/contract/conversations.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import { evidence } from '#shared/contract/evidence.ts'
import { findPaper, NO_PROJECT } from './read-tools.ts'
import { type Call, defineTool } from './tool.ts'

/**
 * Returns passages of all papers of a project that answer the query, best first. Throws 'not_found' for a project that the API
 * key may not read.
 */
export async function searchProject({ actor, signal, count }: Call, projectId: string, query: string, limit: number) {
  await asActor(actor, (tx) => checkProject(tx, projectId, 'read'))
  const { hasVectors, isFree } = embeddingModel()
  // Without the scope ask, a key searches by words.
  if (hasVectors && !isFree && actor.key.scopes.includes('ask')) await count('key-ask', 'ai')
  const of = { projectId, scope: { kind: 'all' as const }, leaveOutRetracted: false, text: query }
  const { passages } = await findPassagesFor(actor, of, { limit, signal })
  const found = []
  for (const { document_id, title, filename, content, page_number, best, score } of passages) {
    const wanted = { quote: content.slice(best.start, best.end), nearPage: page_number > 0 ? page_number : undefined }
    const [place] = await findEvidence(actor, document_id, [wanted], signal)
    const { link } = await asActor(actor, (tx) => findPaper(tx, document_id, 'read'))
    found.push({
      document_id,
      title: documentTitle({ title, filename }),
      text: content,
      similarity: Math.min(1, Math.max(0, score)),
      evidence: place!,
      link,
    })
  }
  return found
}

/** Returns the link to a paper that an answer cites, or null if the paper has been deleted. */
async function findLink(actor: Actor, documentId: string): Promise<string | null> {
  try {
    return (await asActor(actor, (tx) => findPaper(tx, documentId, 'read'))).link
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

export const askProjectTool = defineTool({
  name: 'ask_project',
  scope: 'ask',
  title: 'Ask a project',
  description:
    'Answers a question from the papers of a project. Each sentence has quotes that the server found, and doubts if there are any; never use the unsupported sentences. The answer is stored in a conversation. Costs tokens of the installation.',
  input: z.object({
    project_id: z.uuid(),
    question: z.string().trim().min(1).max(LONGEST_QUESTION),
    document_ids: z.array(z.uuid()).min(1).max(MOST_SCOPE_PAPERS).optional().describe('default: all papers'),
    conversation_id: z.uuid().optional().describe('continues a conversation'),
  }),
  hasContent: true,
  output: z.object({
    status: questionStatus.describe('stopped: by the author, incomplete'),
    kind: libraryAnswer.shape.kind
      .nullable()
      .describe(
        'refusal: no paper answers; unverified: no sentence of the model could be verified; null: stopped before the first sentence',
      ),
    sentences: z.array(
      z.object({
        text: z.string(),
        group: z.number().int().nullable().describe('index in `groups`; null: no side'),
        sources: z.array(z.number().int()).describe('numbers of sources'),
        evidence: z.array(evidence),
        marks: z.array(sentenceMark).describe('doubts'),
      }),
    ),
    groups: z.array(z.string()).describe('the sides of a disagreement'),
    unsupported: z.array(unsupportedSentence),
    nearest: z.array(evidence),
    missing: libraryAnswer.shape.missing,
    sources: z.array(
      z.object({
        number: z.number().int(),
        document_id: z.uuid(),
        title: z.string().nullable(),
        citation: z.string(),
        evidence_level: z.string().nullable(),
        retracted: z.boolean(),
        link: z.string().nullable(),
      }),
    ),
    papers: z.number().int().describe('papers that were searched'),
    model: z.string(),
    conversation_id: z.uuid(),
    run_id: z.uuid().nullable(),
  }),
  missing: `${NO_PROJECT} A conversation must be one of this project.`,
  run: async ({ actor, signal, count, report }, { project_id, question, document_ids, conversation_id }) => {
    await count('key-ask', 'ai')
    await report(10, 'Searching the papers')
    const scope = document_ids ? { kind: 'papers' as const, document_ids } : { kind: 'all' as const }
    const request = { question, scope, leave_out_retracted: true, again: false, without_stored: false }
    const { conversationId, message } = await answerProject(
      actor,
      { projectId: project_id, conversationId: conversation_id },
      request,
      { via: 'mcp', signal },
    )
    const { answer, status } = message
    const numbers = new Map(message.sources.map((source) => [source.document_id, source.number]))
    const sources = []
    for (const { number, document_id, title, citation, evidence_level, retracted } of message.sources) {
      const link = await findLink(actor, document_id)
      sources.push({ number, document_id, title, citation: citation.text, evidence_level, retracted, link })
    }
    return {
      status,
      kind: answer?.kind ?? null,
      sentences: (answer?.sentences ?? []).map(({ text, evidence: quotes, marks, group }) => ({
        text,
        group,
        sources: [...new Set(quotes.flatMap((one) => numbers.get(one.document_id) ?? []))],
        evidence: quotes,
        marks,
      })),
      groups: answer?.groups ?? [],
      unsupported: answer?.unsupported ?? [],
      nearest: answer?.nearest ?? [],
      missing: answer?.missing ?? [],
      sources,
      papers: answer?.papers ?? 0,
      model: answer?.model ?? '',
      conversation_id: conversationId,
      run_id: message.run_id,
    }
  },
})
