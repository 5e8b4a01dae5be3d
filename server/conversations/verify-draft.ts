import type { DraftSentence } from '#server/ai/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { findEvidence, type FoundEvidence } from '#server/evidence/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { AnswerPassage } from '#server/search/index.ts'
import { normalizeWithMap } from '#shared/passages/find-passage.ts'

/**
 * Minimum number of letters and digits of a quote. A shorter quote is not searched, because it would occur in almost every
 * text.
 */
const LEAST_LETTERS = 8

/**
 * Finds the quotes of a sentence of the model in the papers. Searches each quote near the page of the passage that the model
 * refers to, then in the whole paper of that passage, then in the first passage that contains its words. Quotes that are not
 * found are omitted. `hasQuotes` is false if no quote of the model has at least LEAST_LETTERS letters and digits.
 */
export async function findQuotes(
  actor: Actor,
  draft: DraftSentence,
  passages: readonly AnswerPassage[],
  signal: AbortSignal,
): Promise<{ evidence: FoundEvidence[]; hasQuotes: boolean }> {
  const quotes = draft.quotes.filter(({ words }) => normalizeWithMap(words).text.length >= LEAST_LETTERS)
  const evidence: FoundEvidence[] = []
  for (const { passage, words } of quotes) {
    const named = passage === null ? undefined : passages[passage]
    const found =
      (named && (await find(actor, named, words, signal))) ?? (await findInAny(actor, words, passages, signal))
    if (found && !evidence.some((one) => isSame(one, found))) evidence.push(found)
  }
  return { evidence, hasQuotes: quotes.length > 0 }
}

function findInAny(actor: Actor, words: string, passages: readonly AnswerPassage[], signal: AbortSignal) {
  const letters = normalizeWithMap(words).text
  const other = passages.find(({ content }) => normalizeWithMap(content).text.includes(letters))
  return other ? find(actor, other, words, signal) : undefined
}

async function find(
  actor: Actor,
  { document_id, page_number }: AnswerPassage,
  words: string,
  signal: AbortSignal,
): Promise<FoundEvidence | undefined> {
  const wanted = { quote: words, nearPage: page_number > 0 ? page_number : undefined }
  try {
    const [found] = await findEvidence(actor, document_id, [wanted], signal)
    return found && found.match !== 'none' ? found : undefined
  } catch (error) {
    // The paper may have been deleted.
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

const isSame = (one: FoundEvidence, other: FoundEvidence) =>
  one.document_id === other.document_id && one.page === other.page && one.start === other.start && one.end === other.end
