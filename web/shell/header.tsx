import { Link, useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { Suspense, useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import { useSession } from '#web/auth/index.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { COMMAND_KEY } from '#web/lib/platform.ts'
import { Faces } from '#web/members/index.ts'
import { useCurrentProject } from '#web/projects/index.ts'
import { IconButton } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Brand } from './brand.tsx'
import { ProjectNav } from './project-nav.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import styles from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

const SideMenu = lazyPart(() => import('./side-menu.tsx').then((file) => file.SideMenu))

/** The header of every page. `onSearch` opens the command palette. */
export function Header({ onSearch }: { onSearch: () => void }) {
  const { state, session } = useSession()
  const current = useCurrentProject()
  const path = useLocation({ select: (location) => location.pathname })
  const [menuOpen, setMenuOpen] = useState(false)
  const withNav = session && current && path.replace(/\/$/, '') !== pages.projects() ? current : null
  return (
    <header className={session ? styles.header : cn(styles.header, styles.visitor)}>
      <div className={styles.headerRow}>
        {session ? (
          <IconButton
            label="Open menu"
            className="max-md:-mr-2 max-md:-ml-3.5 md:hidden"
            onClick={() => setMenuOpen(true)}
          >
            <MenuIcon aria-hidden />
          </IconButton>
        ) : null}
        <Brand />
        {session ? (
          <>
            <i className="h-5 w-px flex-none transform-[rotate(14deg)] bg-border max-md:hidden" aria-hidden />
            <ProjectSwitcher current={current} />
            {withNav ? <ProjectNav project={withNav} className={styles.navigation} /> : null}
            <div className={styles.headerEnd}>
              {withNav ? <Faces project={withNav} /> : null}
              <button
                type="button"
                className={styles.searchButton}
                aria-label="Search"
                onClick={onSearch}
                aria-keyshortcuts="Control+K Meta+K"
              >
                <Search aria-hidden />
                <span>Search</span>
                <kbd>{COMMAND_KEY} K</kbd>
              </button>
              <Link to={pages.projects()} className={styles.headerLink}>
                Projects
              </Link>
              <IconButton label="Search" className="md:hidden" onClick={onSearch}>
                <Search aria-hidden />
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
          <div className={styles.headerEnd}>
            {state === 'out' ? (
              <Link to={pages.auth()} className={styles.headerLink}>
                Sign In
              </Link>
            ) : null}
          </div>
        )}
      </div>
    </header>
  )
}
