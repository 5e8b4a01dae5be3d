import './admin.css'
import { Link, useLocation } from '@tanstack/react-router'
import { ChevronDown, Layers } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PLACES, placeOf } from './places.ts'

/** The layout of the administration: side navigation and page. On a phone the navigation collapses to one line. */
export function AdminFrame({ children }: { children: ReactNode }) {
  const path = useLocation({ select: (location) => location.pathname })
  const [open, setOpen] = useState(false)
  const here = placeOf(path)
  const HereIcon = here?.icon ?? Layers
  return (
    <div className="admin">
      <nav className="admin-side" aria-label="Admin">
        <button type="button" className="admin-here" aria-expanded={open} onClick={() => setOpen(!open)}>
          <HereIcon className="ic" aria-hidden />
          {here?.label ?? 'Admin'}
          <ChevronDown className="ic tail" aria-hidden />
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
                <Icon className="ic" aria-hidden />
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
