import { decodedDoi, doiText, isDoi } from '#shared/contract/doi.ts'

/** An identifier of a publication in its normal form, or the address of a web page. */
export interface Identifier {
  kind: 'doi' | 'pmid' | 'pmcid' | 'arxiv' | 'isbn' | 'url'
  value: string
}

// The part in angle brackets occurs in DOIs that contain a SICI:
// '10.1002/(SICI)1097-0258(1998)17:15<1661::AID-SIM968>3.0.CO;2-#'.
const DOI_WITHIN = /\b10\.\d{4,9}(?:\.\d+)*\/(?:[^\s"<>]|<[^\s"<>]+>(?=\d\.\d\.))+/
// Both begin with two digits of the year and a month. arXiv refuses a whole request because of one id with another month.
const NEW_ARXIV = /^(\d\d(?:0[1-9]|1[0-2])\.\d{4,5})(v\d+)?$/i
// A subject class is not part of the id: 'math.GT/0309136' is 'math/0309136'.
const OLD_ARXIV =
  /^([a-z-]+|(?:astro-ph|cond-mat|cs|math|nlin|physics|q-bio)\.[a-z-]+)(\/\d\d(?:0[1-9]|1[0-2])\d{3})(?:v\d+)?$/i

/**
 * Returns a DOI found in a text without the query and fragment of an address, without the punctuation after it, and without a
 * closing bracket that has no opening bracket. A '#' can be the last character of a SICI.
 */
function trimmedDoi(found: string): string {
  const doi = found.replace(/(?:\?|(?<!;\d-)#).*$/, '').replace(/[.,;:'\u2019\u201d]+$/, '')
  return doi.endsWith(')') && !doi.includes('(') ? doi.slice(0, -1) : doi
}

/** Returns the first DOI in a text (`doi:…`, an address of the resolver or a publisher, a sentence), or undefined. */
export function doiWithin(text: string): string | undefined {
  const found = DOI_WITHIN.exec(decodedDoi(text))?.[0]
  return found === undefined ? undefined : trimmedDoi(found)
}

/**
 * Returns the bare DOI of a value that is a DOI. For other values, such as a web address, returns the first DOI in the value;
 * undefined if there is none.
 */
export const doiOf = (value: string): string | undefined =>
  isDoi(value) && !/^\s*https?:/i.test(value) ? doiText(value) : doiWithin(value)

/**
 * Returns the arXiv id of an id, address or DOI, without its version and subject class: '2101.00001' or 'math/0309136'.
 * Otherwise undefined.
 */
export function arxivId(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\//i, '')
    .replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/)?10\.48550\/arxiv\./i, '')
    .replace(/^arxiv:\s*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/\.pdf$|\s*\[[\w.-]+\]$/i, '')
  const [, archive, number] = OLD_ARXIV.exec(bare) ?? []
  const id = archive ? archive.replace(/\..*/, '') + number : NEW_ARXIV.exec(bare)?.[1]
  return id?.toLowerCase()
}

/** Returns the 13 digits of an ISBN-10 or ISBN-13; undefined for other text and for a wrong check digit. */
export function isbn13(text: string): string | undefined {
  const bare = text.replace(/^\s*isbn(?:-1[03])?:?\s*/i, '').replaceAll(/[\s-\u2010-\u2013]/g, '')
  if (/^97[89]\d{10}$/.test(bare)) return checkDigit13(bare) === bare[12] ? bare : undefined
  if (!/^\d{9}[\dXx]$/.test(bare)) return undefined
  const sum = [...bare].reduce((sum, digit, at) => sum + (10 - at) * (/x/i.test(digit) ? 10 : Number(digit)), 0)
  const body = `978${bare.slice(0, 9)}`
  return sum % 11 === 0 ? body + checkDigit13(body) : undefined
}

function checkDigit13(digits: string): string {
  let sum = 0
  for (let at = 0; at < 12; at++) sum += Number(digits[at]) * (at % 2 === 0 ? 1 : 3)
  return String((10 - (sum % 10)) % 10)
}

/**
 * Recognizes an identifier of a publication, such as a DOI, or the address of a web page in one line of text. Returns undefined
 * if the line has neither. A bare number of up to 8 digits is a PMID.
 */
export function recognizeIdentifier(line: string): Identifier | undefined {
  const text = line.trim().replace(/^[<"'(]+|[>"',;]+$/g, '')
  const arxiv = arxivId(text)
  if (arxiv) return { kind: 'arxiv', value: arxiv }
  const pmcid = /^(?:pmc\s*id:?\s*|https?:\/\/\S*\/)?(PMC\d{1,9})(?:\.\d+)?(?:[/?#]\S*)?$/i.exec(text)?.[1]
  if (pmcid) return { kind: 'pmcid', value: pmcid.toUpperCase() }
  const pmid =
    /^(?:pm\s*id:?\s*|pubmed:?\s*|https?:\/\/(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov\/pubmed|europepmc\.org\/(?:article|abstract)\/med)\/)?(\d{1,8})\/?(?:[?#]\S*)?$/i.exec(
      text,
    )?.[1]
  if (pmid) return { kind: 'pmid', value: pmid }
  const isbn = isbn13(text)
  if (isbn) return { kind: 'isbn', value: isbn }
  const doi = isDoi(text) ? trimmedDoi(doiText(text)) : /^(?:https?:|doi\b)/i.test(text) ? doiWithin(text) : undefined
  if (doi) return { kind: 'doi', value: doi }
  return URL.canParse(text) && /^https?:/i.test(text) ? { kind: 'url', value: text } : undefined
}
