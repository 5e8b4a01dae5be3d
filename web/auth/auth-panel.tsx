import type { ReactNode } from 'react'
import styles from './auth.module.css'
import { CitedPage } from './cited-page.tsx'

/** Layout of the pages under /auth: the form, beside an example page. */
export function AuthPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.columns}>
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
