import { Outlet, createFileRoute } from '@tanstack/react-router'
import { AdminFrame } from '#web/admin/index.ts'
import { RequireSession } from '#web/auth/index.ts'

/** The layout of the administration pages. Only administrators can open them. */
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
