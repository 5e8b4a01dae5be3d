import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import type { Session } from '#web/auth/index.ts'
import { Menu, MenuItem, MenuNote, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { Avatar } from '#web/ui/marks.tsx'
import { useLogOut } from './use-log-out.ts'

/** The menu of the signed-in user: name and e-mail address, links to the user's pages, and 'Log out'. */
export function UserMenu({ session }: { session: Session }) {
  const { profile, user } = session
  const logOut = useLogOut()
  return (
    <Menu
      trigger={
        <button type="button" className="rounded-full" aria-label="User menu">
          <Avatar email={user.email} picture={profile.avatar_url} />
        </button>
      }
    >
      <MenuNote>
        <p className="text-foreground font-medium">{profile.full_name || user.email}</p>
        <p className="text-meta">{user.email}</p>
      </MenuNote>
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
      <MenuItem onSelect={logOut}>Log out</MenuItem>
    </Menu>
  )
}
