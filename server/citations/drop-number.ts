/** A character of the private use area that citeproc writes in place of each number of a bibliography. */
export const NUMBER = '\uE000'

const OPENING = new RegExp(`^((?:<[^>]*>|[^<\\p{L}\\p{N}])*)${NUMBER}((?:</[^>]*>|&nbsp;|[\\p{Pe}.,:;_\\s])*)`, 'u')
const EMPTY_ELEMENT = /<(\w+)[^>]*><\/\1>/g

const tagsOf = (html: string) => html.match(/<[^>]*>/g)?.join('') ?? ''

/**
 * Removes the number at the beginning of an entry of a bibliography, in text or HTML, with its brackets, its punctuation and
 * its left margin. The entry has the character NUMBER in place of each number. In any other place, NUMBER is replaced by 1, the
 * number of a paper that is cited alone.
 */
export const dropNumber = (entry: string): string =>
  entry
    .replace(OPENING, (_whole, before: string, after: string) => tagsOf(before) + tagsOf(after))
    .replaceAll(EMPTY_ELEMENT, '')
    .replaceAll(NUMBER, '1')
