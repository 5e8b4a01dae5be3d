import { Outlet, createFileRoute } from '@tanstack/react-router'
import { AdminFrame } from '#web/admin/index.ts'
import { RequireSession } from '#web/auth/index.ts'

/** The administration and its sub-paths are for administrators only. */
export const Route = createFileRoute('/admin')({
  component: () => (
    <RequireSession admin>
      {() => (
        <AdminFrame>
          <Outlet />
        </AdminFrame>
      )}
    </RequireSession>
  ),
})
