import { keywordList, keywordsAndTags, notesOf, type ExportItem, type WriteOptions } from './export-item.ts'

/**
 * Writes references as a list of CSL-JSON items, one per line. The id of an item is its citation key, if it has one. A long
 * list is written in parts: `isFirst` and `isLast` mean that this part begins or ends the list.
 */
export function* writeCslJson(
  items: Iterable<ExportItem>,
  { isFirst = true, isLast = true }: WriteOptions = {},
): Generator<string> {
  let separator = isFirst ? '[' : ','
  for (const item of items) {
    const { id, ...fields } = item.reference
    const keywords = keywordList(keywordsAndTags(item))
    const note = notesOf(item).join('\n')
    const written = {
      id: fields['citation-key'] ?? id ?? '',
      ...fields,
      ...(keywords && { keyword: keywords }),
      ...(note && { note }),
    }
    yield `${separator}\n${JSON.stringify(written)}`
    separator = ','
  }
  if (isLast) yield separator === '[' ? '[]\n' : '\n]\n'
}
