import type { Recommendation } from '#shared/contract/recommendations.ts'
import { listed } from '#web/lib/listed.ts'
import { grouped } from '#shared/text/numbers.ts'

const TERMS = 4
/**
 * A recommended paper with at least this number of citations is described as 'cited … times'; a lower number is not mentioned.
 */
const MANY = 50

/**
 * Returns the reasons why a paper is recommended as sentences for the user, '' if there are none. One reason is missing here,
 * because it is shown as a link: the similarity to a paper of the project.
 */
export function whyWords({
  why,
  open_access,
  cited_by,
}: Pick<Recommendation, 'why' | 'open_access' | 'cited_by'>): string {
  const facts = [
    why?.recent ? 'published in the last two years' : '',
    open_access ? 'free to read' : '',
    cited_by >= MANY ? `cited ${grouped(cited_by)} times` : '',
  ].filter(Boolean)
  const terms = why?.terms.slice(0, TERMS) ?? []
  // A model's search can find papers without the words of the question.
  const found = why && !why.like ? 'Found by a search for the research question.' : ''
  return [
    terms.length > 0 ? `Mentions ${listed(terms)}.` : found,
    facts.length > 0 ? `${facts.join(', ').replace(/^\p{L}/u, (letter) => letter.toUpperCase())}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * Returns the authors and the journal of a paper as one text, without unknown parts. Of more than three authors, it contains
 * the first one and the number of the others.
 */
export function sourceWords({ authors, journal_name }: Pick<Recommendation, 'authors' | 'journal_name'>): string {
  const names = authors.length > 3 ? `${authors[0]} and ${authors.length - 1} others` : listed(authors)
  return [names, journal_name].filter(Boolean).join(' · ')
}
