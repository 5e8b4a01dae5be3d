import { readdirSync, readFileSync } from 'node:fs'
import { Marked } from 'marked'
import { parse } from 'yaml'

/** A paper of tests/fixtures/papers: the text and the front matter that its pages print. */
export interface Paper {
  /** Base name of its files, without the extension. */
  name: string
  layout: string
  lang: string
  title: string
  /** The line of the authors as HTML. */
  authors: string
  places: string
  journal: string
  /** The line at the top of each page. */
  running: string
  /** Empty for a paper without a DOI. */
  doi: string
  /** YYYY-MM-DD. */
  published: string
  /** The line that prints the dates. */
  dates: string
  keywords: string
  /** The text as HTML. */
  body: string
}

/** A paper with a question and a sentence for tests. Papers without them are used by benchmarks only. */
export interface TestPaper extends Paper {
  /** A sentence that a line break, a hyphen or a column break on the page splits. */
  sentence: string
  question: string
  /** Words that a correct answer to `question` contains. */
  gold: string
}

const FOLDER = new URL('../fixtures/papers/', import.meta.url)

/** Returns the URL of the PDF file of a paper. */
export const pdfOf = ({ name }: Pick<Paper, 'name'>): URL => new URL(`${name}.pdf`, FOLDER)

/** Returns all papers of tests/fixtures/papers, by name. */
export function readPapers(): Paper[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ lang: 'en', name: file.slice(0, -3), ...parts(readFileSync(new URL(file, FOLDER), 'utf8')) }))
}

/** Returns the papers with a question for tests, by name. */
export const readTestPapers = (): TestPaper[] => readPapers().filter((paper) => 'question' in paper) as TestPaper[]

/** Returns the fields of the YAML front matter, and the Markdown below it as HTML. */
function parts(source: string): Omit<Paper, 'name' | 'lang'> {
  const [, head = '', text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? []
  return {
    ...(parse(head, { schema: 'failsafe' }) as Omit<Paper, 'name' | 'body'>),
    body: new Marked().parse(text) as string,
  }
}
