import {
  BEST_PASSAGES,
  NEAREST_PASSAGES,
  hasOnlyNearest,
  labelOfPart,
  noAnswer,
  reasonOfRefusal,
  scopeOfAnswer,
  whyIncomplete,
} from '#shared/contract/answer-texts.ts'
import type { ConversationMessage, ConversationWithMessages, StoredEvidence } from '#shared/contract/conversations.ts'
import { WORDS_ONLY_NOTES } from '#shared/contract/library-search.ts'
import { MARK_LABELS } from '#shared/contract/sentence-marks.ts'
import { type TextRun, textRuns } from './text-runs.ts'

/** A paragraph of an exported conversation. */
export interface Block {
  kind: 'title' | 'question' | 'note' | 'paragraph' | 'heading' | 'source' | 'quote'
  runs: TextRun[]
}

/** Returns the paragraphs of a conversation: each question, its answer and its sources with their quotes. */
export const exportBlocks = ({ title, messages }: ConversationWithMessages): Block[] => [
  block('title', title),
  ...messages.flatMap((message) => [block('question', message.question), ...answerBlocks(message)]),
]

const block = (kind: Block['kind'], text: string): Block => ({ kind, runs: [{ text }] })

function answerBlocks(message: ConversationMessage): Block[] {
  const { answer, chat, sources } = message
  const incomplete = whyIncomplete(message)
  const end = incomplete === null ? [] : [block('note', incomplete)]
  if (chat) return [...chatBlocks(chat), ...end]
  if (!answer) return end
  const numbers = new Map(sources.map(({ document_id, number }) => [document_id, number]))
  const withNumber = (evidence: StoredEvidence) =>
    `[${numbers.get(evidence.document_id) ?? '?'}] ${quoteText(evidence)}`
  const left = answer.retracted_left_out
  const papers = scopeOfAnswer(message.scope, answer.papers).replace(/^f/, 'F')
  const scope = `${papers}${left > 0 ? `, ${left} retracted left out` : ''}.`
  const run = message.run_number === null ? '' : ` Run ${message.run_number}${answer.cached ? ', stored answer' : ''}.`
  const words = answer.words_only ? ` ${WORDS_ONLY_NOTES[answer.words_only]}` : ''
  const introduction = hasOnlyNearest(answer)
    ? [noAnswer(answer), reasonOfRefusal(answer), NEAREST_PASSAGES].filter(Boolean).join(' ')
    : answer.kind === 'passages' && answer.groups.length === 0 && answer.sentences.length > 0
      ? BEST_PASSAGES
      : null
  return [
    block('note', `${scope} Model: ${answer.model}.${run}${words}`),
    ...(introduction === null ? [] : [block('paragraph', introduction)]),
    ...answer.nearest.map((evidence) => block('quote', withNumber(evidence))),
    ...sentenceBlocks(answer, numbers),
    ...end,
    ...sourceBlocks(message),
  ]
}

/**
 * Returns the sentences of an answer as paragraphs. Consecutive sentences of one side of a disagreement share a paragraph, and
 * so do consecutive sentences without a side. Each quote of the built-in model and the label of its part have their own
 * paragraphs.
 */
function sentenceBlocks(
  answer: NonNullable<ConversationMessage['answer']>,
  numbers: ReadonlyMap<string, number>,
): Block[] {
  const isQuoted = answer.kind === 'passages'
  const blocks: Block[] = []
  let last: number | null | undefined
  for (const { text, evidence, marks, group } of answer.sentences) {
    const cited = [...new Set(evidence.flatMap(({ document_id }) => numbers.get(document_id) ?? []))].sort(
      (a, b) => a - b,
    )
    const doubts = marks.map((mark) => ` (${MARK_LABELS[mark.kind]})`).join('')
    const words = `${text.trim()} ${cited.map((number) => `[${number}]`).join('')}${doubts}`
    const label = group === last ? null : labelOfPart(group, answer)
    const start: TextRun[] = label === null ? [] : [{ text: `${label}:${isQuoted ? '' : ' '}`, bold: true }]
    if (isQuoted && label !== null) blocks.push({ kind: 'paragraph', runs: start })
    if (isQuoted) blocks.push(block('paragraph', words))
    else if (group === last) blocks.at(-1)!.runs.push({ text: ` ${words}` })
    else blocks.push({ kind: 'paragraph', runs: [...start, { text: words }] })
    last = group
  }
  return blocks
}

/** Returns the sources that an answer cites, each with its quotes. */
function sourceBlocks({ answer, sources }: ConversationMessage): Block[] {
  const quotes = answer?.sentences.flatMap(({ evidence }) => evidence) ?? []
  const cited = sources.map((source) => ({
    source,
    own: new Set(quotes.filter(({ document_id }) => document_id === source.document_id).map(quoteText)),
  }))
  if (cited.length === 0) return []
  return [
    block('heading', 'Sources'),
    ...cited.flatMap(({ source: { number, retracted, citation }, own }): Block[] => [
      {
        kind: 'source',
        runs: [
          { text: `[${number}] ` },
          ...(retracted ? [{ text: '[retracted] ', bold: true }] : []),
          ...textRuns(citation.html),
        ],
      },
      ...[...own].map((text) => block('quote', text)),
    ]),
  ]
}

function chatBlocks({ statements, answer, model }: NonNullable<ConversationMessage['chat']>): Block[] {
  const sentences = statements.length > 0 ? statements : [{ text: answer, passages: [] }]
  return [
    block('note', `Model: ${model}.`),
    ...sentences.flatMap(({ text, passages }) => [
      block('paragraph', text.trim()),
      ...passages.filter(({ match }) => match !== 'none').map((passage) => block('quote', quoteText(passage))),
    ]),
  ]
}

/** Returns a quote with its place. A lost quote is not in the newest text of the paper any more. */
function quoteText({ quote, page, lost = false }: { quote: string | null; page: number | null; lost?: boolean }) {
  const place = page === null ? 'in the abstract' : `p. ${page}`
  return `“${(quote ?? '').replaceAll(/\s+/g, ' ').trim()}” (${lost ? 'not in the newest text of the paper' : place})`
}
