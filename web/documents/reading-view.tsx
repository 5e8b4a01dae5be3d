import type { ReactNode } from 'react'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { SectionRow, Statement } from '#web/ui/page.tsx'
import styles from './document.module.css'
import { ExtractedText } from './extracted-text.tsx'
import { MarginColumn } from './margin-column.tsx'
import { PassageLink } from './passage-link.tsx'
import type { PassageView } from './passage-link.tsx'
import { CitedText } from './cited-text.tsx'
import { passagesOf } from './statements.ts'

/** The analysis of a paper with page links, the extracted text below it, and facts in the margin. */
export function ReadingView({
  document,
  address,
  ...view
}: PassageView & { document: DocumentDetail; address: string }) {
  const { passages } = document
  // Insights are stored as typed, so one can be blank. Passages refer to an insight by its position.
  const insights = document.insights.flatMap((insight, item) => (insight.trim() ? [{ insight, item }] : []))
  // Without a text, the abstract is what was analyzed, so it is above the analysis.
  const hasText = document.source_url !== null || document.extracted_text !== null
  const abstract = document.abstract ? (
    <Section title="Abstract">
      <Statement className="whitespace-pre-line">{document.abstract}</Statement>
    </Section>
  ) : null
  return (
    <div className={styles.reading}>
      <div>
        {hasText ? null : abstract}
        {document.summary ? (
          <Section title="Summary">
            <CitedText text={document.summary} passages={passagesOf(passages, 'summary')} {...view} />
          </Section>
        ) : null}
        {insights.length > 0 ? (
          <Section title="Insights">
            <ol className={styles.insights}>
              {insights.map(({ insight, item }) => (
                <li key={`${item} ${insight}`}>
                  <span>{insight}</span>
                  <span className={styles.pageLinks}>
                    {passagesOf(passages, 'insights', item).map((passage) => (
                      <PassageLink key={`${passage.page} ${passage.start}`} passage={passage} {...view} />
                    ))}
                  </span>
                </li>
              ))}
            </ol>
          </Section>
        ) : null}
        {document.lifestyle_recommendations ? (
          <Section title="Recommendations">
            <CitedText
              text={document.lifestyle_recommendations}
              passages={passagesOf(passages, 'lifestyle_recommendations')}
              {...view}
            />
          </Section>
        ) : null}
        {document.social_post ? (
          <Section title="Social Post">
            <CitedText text={document.social_post} passages={passagesOf(passages, 'social_post')} {...view} />
          </Section>
        ) : null}
        {hasText ? abstract : null}
        <Section title="Original Text">
          <ExtractedText text={document.extracted_text} />
        </Section>
      </div>
      <MarginColumn document={document} address={address} {...view} />
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SectionRow>
      <h2>{title}</h2>
      {children}
    </SectionRow>
  )
}
