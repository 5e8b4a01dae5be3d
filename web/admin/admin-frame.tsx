import { Link, useLocation } from '@tanstack/react-router'
import { ChevronDown, Layers } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import styles from './admin.module.css'
import { PLACES, placeOf } from './places.ts'

/** The layout of the administration: side navigation and page. On a phone the navigation collapses to one line. */
export function AdminFrame({ children }: { children: ReactNode }) {
  const path = useLocation({ select: (location) => location.pathname })
  const [open, setOpen] = useState(false)
  const here = placeOf(path)
  const HereIcon = here?.icon ?? Layers
  return (
    <div className={styles.columns}>
      <nav className={styles.sidebar} aria-label="Admin">
        <button type="button" className={styles.currentPage} aria-expanded={open} onClick={() => setOpen(!open)}>
          <HereIcon aria-hidden />
          {here?.label ?? 'Admin'}
          <ChevronDown className={styles.chevron} aria-hidden />
        </button>
        <ul>
          {PLACES.map(({ label, to, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={to === path ? 'page' : to === here?.to ? 'true' : undefined}
                activeProps={{}}
                activeOptions={{ exact: true }}
                onClick={() => setOpen(false)}
              >
                <Icon aria-hidden />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </div>
  )
}
