import { useTitle } from '#web/lib/use-title.ts'

/** How the installation itself is doing. */
export function SystemPage() {
  useTitle('System')
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>System</h1>
      </div>
    </main>
  )
}
