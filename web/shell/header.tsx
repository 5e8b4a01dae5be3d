import { Link, useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { Suspense, useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import { useSession } from '#web/auth/index.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { COMMAND_KEY } from '#web/lib/platform.ts'
import { useCurrentProject } from '#web/projects/index.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Brand } from './brand.tsx'
import { ProjectNav } from './project-nav.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { UserMenu } from './user-menu.tsx'

const SideMenu = lazyPart(() => import('./side-menu.tsx').then((file) => file.SideMenu))

/** The header of every page. */
export function Header({ onSearch }: { onSearch: () => void }) {
  const { state, session } = useSession()
  const current = useCurrentProject()
  const path = useLocation({ select: (location) => location.pathname })
  const [menuOpen, setMenuOpen] = useState(false)
  const withNav = session && current && path.replace(/\/$/, '') !== pages.projects() ? current : null
  return (
    <header className={session ? 'top' : 'top visitor'}>
      <div className="top-in">
        {session ? (
          <IconButton label="Open menu" className="top-menu md:hidden" onClick={() => setMenuOpen(true)}>
            <MenuIcon className="ic" aria-hidden />
          </IconButton>
        ) : null}
        <Brand />
        {session ? (
          <>
            <i className="slash" aria-hidden />
            <ProjectSwitcher current={current} />
            {withNav ? <ProjectNav project={withNav} className="nav" /> : null}
            <div className="top-end">
              <button
                type="button"
                className="jump"
                aria-label="Search"
                onClick={onSearch}
                aria-keyshortcuts="Control+K Meta+K"
              >
                <Search className="ic" aria-hidden />
                <span>Search</span>
                <kbd>{COMMAND_KEY} K</kbd>
              </button>
              <Link to={pages.projects()} className="top-link">
                Projects
              </Link>
              <IconButton label="Search" className="md:hidden" onClick={onSearch}>
                <Search className="ic" aria-hidden />
              </IconButton>
              <UserMenu session={session} />
            </div>
            {menuOpen ? (
              <Suspense>
                <SideMenu onClose={() => setMenuOpen(false)} project={withNav} onSearch={onSearch} />
              </Suspense>
            ) : null}
          </>
        ) : (
          <div className="top-end">
            {state === 'out' ? (
              <Link to={pages.auth()} className="top-link">
                Sign In
              </Link>
            ) : null}
          </div>
        )}
      </div>
    </header>
  )
}
