import './legal.css'
import type { ReactNode } from 'react'
import { useTitle } from '#web/lib/use-title.ts'

/** Layout of the legal texts: section titles in the label column. */
export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <main className="page legal">
      <div className="head mt-3">
        <h1>{title}</h1>
      </div>
      <p className="quiet -mt-3 mb-4">Last updated March 2025</p>
      <div className="border-t-[1.5px] border-rule">{children}</div>
    </main>
  )
}

export function Clause({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="section-row">
      <h2>{title}</h2>
      <div className="legal-text">{children}</div>
    </section>
  )
}

export const Mail = ({ to }: { to: string }) => (
  <a className="link" href={`mailto:${to}`}>
    {to}
  </a>
)
