import { useTitle } from '#web/lib/use-title.ts'

/** What administrators have done. */
export function AuditPage() {
  useTitle('Audit log')
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>Audit log</h1>
      </div>
    </main>
  )
}
