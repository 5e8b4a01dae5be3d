import type { ReactNode } from 'react'
import { CitedPage } from './cited-page.tsx'

/** The frame of every screen under /auth: what is asked, beside a page that shows what the product promises. */
export function Plate({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="auth">
      <section className="auth-form">
        <div>
          <h1>{title}</h1>
          {children}
        </div>
      </section>
      <CitedPage />
    </main>
  )
}
