import type { ReactNode } from 'react'
import { useTitle } from '#web/lib/use-title.ts'
import { Page, PageHead, SectionRow } from '#web/ui/page.tsx'
import styles from './legal.module.css'

/** Layout of the legal texts, with the section titles in a column on the left. */
export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>{title}</h1>
      </PageHead>
      <p className="text-muted-foreground -mt-3 mb-4">Last updated March 2025</p>
      <div className="border-t-[1.5px] border-rule">{children}</div>
    </Page>
  )
}

/** A section of a legal text with its heading. */
export function Clause({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SectionRow>
      <h2>{title}</h2>
      <div className={styles.legalText}>{children}</div>
    </SectionRow>
  )
}

/** An e-mail address as a link. */
export const Mail = ({ to }: { to: string }) => (
  <a className="text-link" href={`mailto:${to}`}>
    {to}
  </a>
)
