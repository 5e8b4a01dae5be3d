import { ChevronDown, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'

const FORMATS = [
  ['csv', 'CSV, for spreadsheets'],
  ['json', 'JSON, with all details'],
] as const

/**
 * A menu with the file formats of an export. `addressOf` returns the URL of the exported file. `limit` says which part of the
 * list the file contains if it does not contain the whole list.
 */
export function ExportMenu({
  addressOf,
  limit,
  side,
  trigger,
}: {
  addressOf: (format: 'csv' | 'json') => string
  limit?: string | undefined
  side?: 'top'
  /** The button that opens the menu. The default is an outlined button 'Export'. */
  trigger?: ReactNode
}) {
  return (
    <Menu
      {...(side ? { side } : {})}
      trigger={
        trigger ?? (
          <Button>
            <Download aria-hidden />
            Export
            <ChevronDown data-trailing aria-hidden />
          </Button>
        )
      }
    >
      {FORMATS.map(([format, label]) => (
        <MenuItem key={format} asChild>
          <a href={addressOf(format)} download>
            {limit ? `${label} (${limit})` : label}
          </a>
        </MenuItem>
      ))}
    </Menu>
  )
}
