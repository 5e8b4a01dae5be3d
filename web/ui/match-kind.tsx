import styles from './marks.module.css'

/**
 * Shows how a search matched a passage: an icon with one circle for words and one for meaning, and the word 'words', 'meaning'
 * or 'both'.
 */
export function MatchKind({ matched }: { matched: 'words' | 'meaning' | 'both' }) {
  return (
    <span className={styles.matchKind}>
      <svg viewBox="0 0 18 12" aria-hidden>
        <circle cx="6" cy="6" r="4.9" data-on={matched !== 'meaning' || undefined} />
        <circle cx="12" cy="6" r="4.9" data-on={matched !== 'words' || undefined} />
      </svg>
      {matched}
    </span>
  )
}
