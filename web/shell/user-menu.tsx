import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import type { Session } from '#web/auth/index.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { initials } from '#web/ui/marks.tsx'
import { useLogOut } from './use-log-out.ts'

/** The menu of the signed-in user: name and address, links to personal pages, and log out. */
export function UserMenu({ session }: { session: Session }) {
  const { profile, user } = session
  const logOut = useLogOut()
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
      <MenuItem onSelect={logOut}>Log out</MenuItem>
    </Menu>
  )
}
