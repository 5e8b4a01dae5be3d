import { BEST_PASSAGES, whyIncomplete } from '#shared/contract/answer-texts.ts'
import type { AnswerSentence, AnswerSource, ConversationMessage } from '#shared/contract/conversations.ts'
import { MARK_LABELS } from '#shared/contract/sentence-marks.ts'
import { answerSections, citedPapers } from './answer-parts.ts'

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Returns a sentence with the numbers of its papers and the warnings about it, for example 'Naps help. [1][2] (near)'. */
function withNumbers(sentence: AnswerSentence, sources: readonly AnswerSource[]): string {
  const numbers = citedPapers(sentence, sources).map(({ source }) => `[${source.number}]`)
  const doubts = sentence.marks.map(({ kind }) => ` (${MARK_LABELS[kind]})`)
  return `${sentence.text.trim()} ${numbers.join('')}${doubts.join('')}`
}

/**
 * Returns an answer and its sources as HTML and as plain text for the clipboard. Omits sentences without evidence. Warnings
 * about a sentence follow it in parentheses. The reason for an incomplete answer follows the sentences.
 */
export function copiedAnswer(message: ConversationMessage): { html: string; text: string } {
  const { answer, sources, question } = message
  const incomplete = whyIncomplete(message)
  const sections = answer ? answerSections(answer) : []
  const cited = sources.filter(({ document_id }) =>
    answer?.sentences.some(({ evidence }) => evidence.some((one) => one.document_id === document_id)),
  )
  // Quotes of the built-in model are a list, because they do not follow from each other.
  const quotes =
    answer?.kind === 'passages'
      ? sections.flatMap(({ label, sentences }) => [
          label === null ? BEST_PASSAGES : `${label}:`,
          ...sentences.map(({ sentence }) => withNumbers(sentence, sources)),
        ])
      : null
  const parts =
    quotes?.map((text) => ({ label: null, text })) ??
    sections.map(({ label, sentences }) => ({
      label,
      text: sentences.map(({ sentence }) => withNumbers(sentence, sources)).join(' '),
    }))
  const mark = (retracted: boolean) => (retracted ? '[retracted] ' : '')
  return {
    html: [
      `<p><b>${escape(question)}</b></p>`,
      ...parts.map(({ label, text }) => `<p>${label === null ? '' : `<b>${escape(label)}:</b> `}${escape(text)}</p>`),
      ...(incomplete === null ? [] : [`<p>${escape(incomplete)}</p>`]),
      '<p><b>Sources</b></p>',
      ...cited.map(({ number, retracted, citation }) => `<p>[${number}] ${mark(retracted)}${citation.html}</p>`),
    ].join('\n'),
    text: [
      question,
      ...parts.map(({ label, text }) => (label === null ? text : `${label}: ${text}`)),
      ...(incomplete === null ? [] : [incomplete]),
      ['Sources', ...cited.map((one) => `[${one.number}] ${mark(one.retracted)}${one.citation.text}`)].join('\n'),
    ].join('\n\n'),
  }
}
