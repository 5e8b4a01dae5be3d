import type { CslName } from '#shared/contract/references.ts'
import { wordDate } from '#shared/references/dates.ts'
import { familyText, sortedName } from '#shared/references/names.ts'
import { inOneLine, keywordsAndTags, notesOf, textValues, type ExportItem } from './export-item.ts'
import { NBIB_TEXT } from './read-nbib.ts'
import { nbibType } from './reference-types.ts'

/** Writes references in the PubMed format (nbib). References without a PMID are skipped, because the format requires one. */
export function* writeNbib(items: Iterable<ExportItem>): Generator<string> {
  for (const item of items) {
    if (!item.reference.PMID) continue
    const lines = fieldsOf(item).flatMap(([tag, value]) => (value ? [`${tag.padEnd(4)}- ${inOneLine(value)}\n`] : []))
    yield `${lines.join('')}\n`
  }
}

function fieldsOf(item: ExportItem): [tag: string, value: string | undefined][] {
  const { reference } = item
  const isChapter = reference.type === 'chapter'
  return [
    ...textValues(reference, NBIB_TEXT),
    [reference.type === 'book' ? 'BTI' : 'TI', reference.title],
    [isChapter ? 'BTI' : 'JT', reference['container-title']],
    ['CTI', reference['collection-title']],
    ...(reference.author ?? []).flatMap((name): [string, string][] =>
      name.literal === undefined
        ? [
            ['FAU', sortedName(name)],
            ['AU', shortName(name)],
          ]
        : [['CN', name.literal]],
    ),
    ...(reference.editor ?? []).map((name): [string, string] => ['FED', sortedName(name)]),
    ['DP', reference.issued && wordDate(reference.issued)],
    ['PG', reference.page],
    ...(reference.ISSN?.split(', ') ?? []).map((issn): [string, string] => ['IS', issn]),
    ...(reference.ISBN?.split(', ') ?? []).map((isbn): [string, string] => ['ISBN', isbn]),
    ['LID', reference.DOI && `${reference.DOI} [doi]`],
    ['PT', nbibType(reference.type)],
    ...keywordsAndTags(item).map((word): [string, string] => ['OT', word]),
    ...notesOf(item).map((note): [string, string] => ['GN', note]),
  ]
}

/** Returns a name as 'Family AB', with the initials of the given names. */
const shortName = (name: CslName) =>
  [
    familyText(name),
    (name.given ?? '')
      .split(/[\s.-]+/)
      .map((part) => part[0]?.toUpperCase() ?? '')
      .join(''),
    name.suffix,
  ]
    .filter(Boolean)
    .join(' ')
