import { blank, lineAt, type Prose, proseOf } from './prose.ts'
import type { SourceFile } from './source-files.ts'

/** Folders whose comments, strings and test titles are checked. */
export const CLEAN_FOLDERS = ['bin', 'server', 'shared', 'tests', 'web']

/** Markdown files that are checked, and folders whose Markdown files are checked. */
export const CLEAN_PAGES = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'docs/decisions',
  'docs/guide',
  'docs/security.md',
]

/** A forbidden word or phrase, and advice for its replacement. */
interface EnglishLaw {
  forbids: RegExp
  instead: string
}

const LAWS: EnglishLaw[] = [
  { forbids: /\b(?:whoever|whomever)\b/i, instead: 'name the user, the caller or the process' },
  { forbids: /\b(?:nobody|somebody)\b/i, instead: "write 'no user', 'another user', or use the passive" },
  { forbids: /\banew\b/i, instead: "write 'again'" },
  { forbids: /\bin vain\b/i, instead: "write 'without effect'" },
  { forbids: /\bas good as\b/i, instead: 'name the result' },
  { forbids: /\b(?:is|are) told\b/i, instead: "write 'gets', 'is notified' or 'receives'" },
  {
    forbids: /\b(?:lest|betimes|thereby|therein|whence|wherein)\b/i,
    instead: "write 'so that … not', 'in time', 'by this', 'in it', 'from which', 'in which'",
  },
  { forbids: /\bonce more\b/i, instead: "write 'retries' or 'repeats … once'" },
  { forbids: /\bwhatever (?:its|his|the|their|else|price)\b/i, instead: "write 'any …', or name the cases" },
  { forbids: /\b(?:stands?|lies) (?:for|in|on|at) (?:the|a|this|that|which)\b/i, instead: "write 'is' or 'means'" },
  { forbids: /\bleads? nowhere\b/i, instead: "write 'does not exist'" },
  {
    // 'What was read' and 'What was verified until then is kept.' are texts of the specification.
    forbids: /(?:^|[.;]\s)\s*what (?:is|was|are|were|has|had)\b(?! read$| verified until then)(?![^.]*\?)/i,
    instead: 'begin with a noun instead of a clause',
  },
  {
    forbids: /(?:^|[.;:,]\s|\b(?:by|for|from|in|of|to|with)\s)\s*who (?:asks|has|is)\b(?![^.]*\?)/i,
    instead: "write 'a user who …' or 'callers'",
  },
]

/**
 * Matches the words of all laws without their context. Only files with a match are parsed, because parsing all files takes
 * seconds.
 */
const MAY_BREAK =
  /\b(?:whoever|whomever|nobody|somebody|anew|in vain|as good as|told|lest|betimes|there(?:by|in)|whence|wherein|once more|whatever|stands?|lies|nowhere|what (?:is|was|are|were|has|had)|who (?:asks|has|is))\b/i

/** Matches the definition of a variable or function with a vague name: a metaphor, or a past participle without a noun. */
const VAGUE_NAME = /\b(?:const|let|function)\s+(told|said|gone|anew|dealtWith)\b(?=\s*[=:(])/g

/** Returns the definitions of variables and functions with a vague name, as `file:line: name`. */
export const vagueNames = (files: SourceFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(VAGUE_NAME)].map(({ 1: name, index }) => `${path}:${lineAt(text, index)}: ${name}`),
  )

/** Returns every forbidden word in the comments, strings and JSX texts of source files, as `file:line: word: advice`. */
export const brokenEnglish = (files: SourceFile[]): string[] =>
  files
    .filter(({ text }) => MAY_BREAK.test(text))
    .flatMap((file) => {
      const { comments, texts } = proseOf(file)
      return problems(file, [...comments, ...texts])
    })

/** Returns every forbidden word in Markdown files, as `file:line: word: advice`. Code in these files is not checked. */
export const brokenPages = (files: SourceFile[]): string[] =>
  files.flatMap((file) => problems(file, [{ text: file.text.replaceAll(MARKDOWN_CODE, blank), at: 0 }]))

const MARKDOWN_CODE = /^```[\s\S]*?^```|`[^`\n]*`/gm

function problems({ path, text: source }: SourceFile, pieces: Prose[]): string[] {
  return pieces.flatMap(({ text, at }) =>
    LAWS.flatMap(({ forbids, instead }) => {
      const found = forbids.exec(text)
      if (found === null) return []
      const line = lineAt(source, at + found.index + found[0].search(/\w/))
      return [`${path}:${line}: '${found[0].trim()}': ${instead}`]
    }),
  )
}
