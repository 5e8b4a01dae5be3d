import { Link, useNavigate } from '@tanstack/react-router'
import { pages } from '#shared/paths.ts'
import type { Session } from '#web/auth/index.ts'
import { useSignOut } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { initials } from '#web/ui/marks.tsx'

/** Who is signed in, and what belongs to the person rather than to a project. */
export function UserMenu({ session }: { session: Session }) {
  const { profile, user } = session
  const navigate = useNavigate()
  const signingOut = useSignOut()
  const signOut = () =>
    signingOut.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Signed out successfully', description: 'You have been signed out of your account.' })
        void navigate({ to: pages.auth() })
      },
      onError: (error) => toast({ title: 'Error signing out', description: messageOf(error), destructive: true }),
    })
  return (
    <Menu
      trigger={
        <button type="button" className="avatar" aria-label="User menu">
          {profile.avatar_url ? <img src={profile.avatar_url} alt="" /> : initials(user.email)}
        </button>
      }
    >
      <div className="menu-note">
        <p className="text-foreground font-medium">{profile.full_name || user.email}</p>
        <p className="text-meta">{user.email}</p>
      </div>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to={pages.profile()}>Profile</Link>
      </MenuItem>
      {profile.is_admin ? (
        <MenuItem asChild>
          <Link to={pages.admin()}>Admin</Link>
        </MenuItem>
      ) : null}
      <MenuItem asChild>
        <Link to={pages.settings()}>Settings</Link>
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={signOut}>Log out</MenuItem>
    </Menu>
  )
}
