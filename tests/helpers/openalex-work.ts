/** The fields of an OpenAlex work that a test sets. `openAlexWork` adds the other fields. */
export interface WorkSample {
  id: string
  doi: string | null
  title: string
  date: string | null
  type?: string
  journal: string | null
  authors: readonly string[]
  abstract: string | null
  pdf?: string
  citedBy?: number
  retracted?: boolean
}

/**
 * Returns a work in the JSON format of OpenAlex (https://developers.openalex.org), including fields that Lectern does not use.
 */
export function openAlexWork({ id, doi, title, date, journal, authors, abstract, pdf, ...more }: WorkSample) {
  const source = journal && {
    id: `https://openalex.org/S${id.slice(1)}`,
    display_name: journal,
    issn_l: null,
    issn: null,
    is_oa: false,
    is_in_doaj: false,
    host_organization: null,
    type: 'journal',
  }
  const location = {
    is_oa: pdf !== undefined,
    landing_page_url: doi && `https://doi.org/${doi}`,
    pdf_url: pdf ?? null,
    source,
    license: pdf ? 'cc-by' : null,
    version: 'publishedVersion',
  }
  return {
    id: `https://openalex.org/${id}`,
    doi: doi && `https://doi.org/${doi}`,
    title,
    display_name: title,
    relevance_score: 100,
    publication_year: date ? Number(date.slice(0, 4)) : null,
    publication_date: date,
    ids: { openalex: `https://openalex.org/${id}`, ...(doi ? { doi: `https://doi.org/${doi}` } : {}) },
    language: 'en',
    primary_location: location,
    type: more.type ?? 'article',
    open_access: { is_oa: pdf !== undefined, oa_status: pdf ? 'gold' : 'closed', oa_url: pdf ?? null },
    authorships: authors.map((name, at) => ({
      author_position: at === 0 ? 'first' : 'middle',
      author: { id: `https://openalex.org/A${at}`, display_name: name, orcid: null },
      institutions: [],
      raw_author_name: name,
    })),
    cited_by_count: more.citedBy ?? 0,
    is_retracted: more.retracted ?? false,
    is_paratext: false,
    locations_count: 1,
    locations: [location],
    best_oa_location: pdf ? location : null,
    abstract_inverted_index: abstract && invert(abstract),
    counts_by_year: [],
    updated_date: '2026-11-06T06:51:31.235846',
  }
}

function invert(text: string): Record<string, number[]> {
  const index: Record<string, number[]> = {}
  for (const [at, word] of text.split(' ').entries()) (index[word] ??= []).push(at)
  return index
}
