import type { ReactNode } from 'react'
import styles from './auth.module.css'
import { CitedPage } from './cited-page.tsx'

/** Layout of the pages under /auth: the form, beside an example page. */
export function AuthPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-0 flex-1 grid-cols-[minmax(27rem,5fr)_7fr] max-lg:grid-cols-1">
      <section className={styles.form}>
        <div>
          <h1>{title}</h1>
          {children}
        </div>
      </section>
      <CitedPage />
    </main>
  )
}
