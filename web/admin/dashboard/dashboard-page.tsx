import { useTitle } from '#web/lib/use-title.ts'

/** The people of this installation. */
export function DashboardPage() {
  useTitle('Admin Dashboard')
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>Admin Dashboard</h1>
      </div>
    </main>
  )
}
