import styles from './marks.module.css'

/** How a passage matched: two circles, for words and for meaning, and the word. */
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
