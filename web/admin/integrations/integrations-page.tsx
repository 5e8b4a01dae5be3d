import { useTitle } from '#web/lib/use-title.ts'

/** The journal update from the open scholarly service. */
export function IntegrationsPage() {
  useTitle('Integrations')
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>Integrations</h1>
      </div>
    </main>
  )
}
