import { parseFeed } from 'feedsmith'
import type { Reference } from '#shared/contract/references.ts'
import { arxivId } from '#shared/references/identifiers.ts'
import { splitName } from '#shared/references/split-name.ts'
import { buildReference, dateOfTexts, namesOf } from '../build-reference.ts'
import { plainText } from '../rss/plain-text.ts'

const ABSTRACT_MAX = 20_000

/** A preprint of arXiv. */
export interface ArxivPaper {
  /** The arXiv id without its version, such as '2301.01234'. */
  id: string
  reference: Reference
}

interface Entry {
  id?: string
  title?: { value?: string }
  summary?: { value?: string }
  published?: string
  authors?: { name?: string }[]
  arxiv?: { doi?: string; journalRef?: string; comment?: string; primaryCategory?: { term?: string } }
}

/**
 * Reads the Atom feed of the arXiv API (https://info.arxiv.org/help/api/user-manual.html). For an id that does not exist, the
 * feed has no entry or an entry 'Error', which is skipped. Throws an Error when the text is not such a feed.
 */
export function readArxivEntries(xml: string): ArxivPaper[] {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new Error('The feed declares XML entities.')
  const { format, feed } = parseFeed(xml)
  if (format !== 'atom') throw new Error('The response is not an Atom feed.')
  return ((feed.entries ?? []) as Entry[]).flatMap((entry) => {
    const id = arxivId(entry.id ?? '')
    return id && entry.title?.value ? { id, reference: toReference(id, entry) } : []
  })
}

function toReference(id: string, { title, summary, published, authors, arxiv }: Entry): Reference {
  const custom = {
    ...(arxiv?.journalRef && { 'arXiv journal reference': plainText(arxiv.journalRef, 500) }),
    ...(arxiv?.doi && { 'arXiv DOI of the published version': plainText(arxiv.doi, 500) }),
    ...(arxiv?.comment && { 'arXiv comment': plainText(arxiv.comment, 1000) }),
    ...(arxiv?.primaryCategory?.term && { 'arXiv category': plainText(arxiv.primaryCategory.term, 100) }),
  }
  const reference = buildReference({
    type: 'article',
    title: title?.value,
    author: namesOf(
      authors?.map(({ name }) => name),
      splitName,
    ),
    issued: dateOfTexts(published?.slice(0, 10)),
    publisher: 'arXiv',
    genre: 'Preprint',
    number: `arXiv:${id}`,
    // The preprint has its own DOI. That of the published version names another publication.
    DOI: `10.48550/arXiv.${id}`,
    URL: `https://arxiv.org/abs/${id}`,
    abstract: plainText(summary?.value ?? '', ABSTRACT_MAX),
  })
  return Object.keys(custom).length > 0 ? { ...reference, custom } : reference
}
