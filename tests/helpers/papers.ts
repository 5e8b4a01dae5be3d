import { readdirSync, readFileSync } from 'node:fs'
import { Marked } from 'marked'
import { parse } from 'yaml'

/** A paper of tests/fixtures/papers: its text and the metadata that is printed on its pages. */
export interface Paper {
  /** Base name of its files, without the extension. */
  name: string
  layout: string
  lang: string
  title: string
  /** The line with the authors' names, as HTML. */
  authors: string
  places: string
  journal: string
  /** The running head: the line at the top of each page. */
  running: string
  /** Empty for a paper without a DOI. */
  doi: string
  /** The date of publication, as YYYY-MM-DD. */
  published: string
  /** The line with the dates of the paper (such as received and accepted), as it is printed. */
  dates: string
  keywords: string
  /** The text of the paper as HTML. */
  body: string
}

/** A paper with a question and a sentence that tests use. Only benchmarks use the papers without them. */
export interface TestPaper extends Paper {
  /** A sentence of the paper that is printed with a line break, a hyphenation or a column break inside it. */
  sentence: string
  question: string
  /** Words that a correct answer to `question` contains. */
  gold: string
}

const FOLDER = new URL('../fixtures/papers/', import.meta.url)

/** Returns the URL of the PDF file of a paper. */
export const pdfOf = ({ name }: Pick<Paper, 'name'>): URL => new URL(`${name}.pdf`, FOLDER)

/** Returns all papers of tests/fixtures/papers, sorted by name. */
export function readPapers(): Paper[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ lang: 'en', name: file.slice(0, -3), ...parts(readFileSync(new URL(file, FOLDER), 'utf8')) }))
}

/** Returns the papers that have a question for tests, sorted by name. */
export const readTestPapers = (): TestPaper[] => readPapers().filter((paper) => 'question' in paper) as TestPaper[]

/** Parses a Markdown file of a paper. Returns the fields of its YAML front matter, and its text as HTML in `body`. */
function parts(source: string): Omit<Paper, 'name' | 'lang'> {
  const [, head = '', text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? []
  return {
    ...(parse(head, { schema: 'failsafe' }) as Omit<Paper, 'name' | 'body'>),
    body: new Marked().parse(text) as string,
  }
}
