import { PageLinkLabel } from '#web/ui/page-link.tsx'
import styles from './auth.module.css'

/** The decorative example page beside the forms under /auth: a page of an invented paper with a highlighted passage. */
export function CitedPage() {
  return (
    <aside className="relative overflow-hidden border-l border-border bg-page-desk max-lg:hidden" aria-hidden>
      <div className={styles.sheet}>
        <div className={styles.runningHead}>
          <span>Journal of Sleep and Cognition 18 (2025)</span>
          <span>6</span>
        </div>
        <h3>3.1 Recall of paired associates</h3>
        <p className={styles.citedParagraph}>
          <PageLinkLabel>p. 6</PageLinkLabel>
          Recall fell in both groups between the immediate test and the test at twelve hours, and less so in those who
          had slept.{' '}
          <mark>
            Participants who napped recalled 61% of the word pairs after one week, against 40% in the waking group; the
            gain followed spindle density over central sites and was not explained by total sleep time.
          </mark>{' '}
          The difference at 48 hours was of the same sign and smaller.
        </p>
        <p>
          Entering baseline vigilance as a covariate left the estimate unchanged, as did the removal of six people who
          reported an alcoholic drink on the evening before a session.
        </p>
        <p>
          Among nappers, each additional spindle per minute went with 1.9 further pairs at one week. Slow oscillation
          power alone did not predict recall, yet the coupling of spindles to the rising phase did, in line with an
          account in which the timing of spindles matters more than their number.
        </p>
        <h3>3.2 Recognition and confidence</h3>
        <p>
          Recognition was near ceiling in both groups at every interval, and we draw no conclusion from it. Confidence
          tracked accuracy closely in the nap group. In the waking group it did not: people were as sure of the pairs
          they had lost as of those they had kept.
        </p>
      </div>
    </aside>
  )
}
