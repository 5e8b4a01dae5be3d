import type { ReactNode } from 'react'
import type { DuplicatePaper } from '#shared/contract/duplicates.ts'
import { compareWords } from '#shared/text/compare-words.ts'
import { importName } from '#web/imports/index.ts'
import { counted, shortDate } from '#web/lib/dates.ts'
import { cn } from '#web/ui/class-names.ts'
import type { ComparedRow } from './compared-rows.ts'
import styles from './duplicates.module.css'

/** Returns in words whether a paper has a PDF, the import that it is from, and when it was added. */
export function aboutFile({ has_file, page_count, source, created_at }: DuplicatePaper): string {
  const file = has_file ? `PDF${page_count ? `, ${counted(page_count, 'page')}` : ''}` : 'No PDF'
  const from = source ? `${importName(source)}, ` : ''
  return `${file}. ${from}${shortDate(created_at)}`
}

/** A value of one paper in the comparison of suspected duplicates, with the radio button that selects it. */
export function Value({
  name,
  isChosen,
  mayChoose,
  isMuted,
  isTitle = false,
  onChoose,
  children,
}: {
  name: string
  isChosen: boolean
  mayChoose: boolean
  isMuted: boolean
  isTitle?: boolean
  onChoose: () => void
  children: ReactNode
}) {
  return (
    <label className={cn(styles.value, isMuted && styles.muted, isTitle && styles.title)}>
      <input type="radio" name={name} checked={isChosen} disabled={!mayChoose} onChange={onChoose} />
      <span>{children}</span>
    </label>
  )
}

/**
 * Maximum length in characters of a text whose words are compared with those of another paper. Two long lists of authors
 * without common words would take seconds.
 */
const MOST_COMPARED = 10_000

/** One value of a row. If `row.byWords` is true, highlights the words that the first different value of the row lacks. */
export function Marked({ row, at }: { row: ComparedRow; at: number }) {
  const value = row.values[at]!
  if (value === '') return 'None'
  const other = row.values.find((text) => text !== value) ?? ''
  if (!row.byWords || other === '' || value.length + other.length > MOST_COMPARED) return value
  const parts = compareWords(value, other).one
  // Texts without a common word differ as a whole, so no part is marked.
  if (!parts.some(({ text, differs }) => !differs && /[\p{L}\p{N}]/u.test(text))) return value
  let place = 0
  return parts.map(({ text, differs }) => {
    const key = (place += text.length)
    return differs ? (
      <mark key={key} className={styles.mark}>
        {text}
      </mark>
    ) : (
      text
    )
  })
}
