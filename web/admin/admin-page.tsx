import { useTitle } from '#web/lib/use-title.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** The administrators' area. */
export function AdminPage() {
  useTitle('Admin Dashboard')
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>Admin Dashboard</h1>
      </div>
      <EmptyState
        title="Nothing to administer here yet."
        about="Users, usage, journals, integrations and prompts are looked after here. Until then, the admin command on the server grants and revokes the right."
      />
    </main>
  )
}
