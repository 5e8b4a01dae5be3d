import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import styles from './reader.module.css'

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const

interface ReaderToolbarProps {
  page: number
  count: number
  zoom: number
  onPage: (page: number) => void
  onZoom: (zoom: number) => void
}

/** The toolbar with page number and zoom, at the bottom of the reader. At zoom 1 (100%), a page has the width of the reader. */
export function ReaderToolbar({ page, count, zoom, onPage, onZoom }: ReaderToolbarProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const smaller = ZOOMS.findLast((step) => step < zoom)
  const larger = ZOOMS.find((step) => step > zoom)
  const turn = () => {
    const wanted = Number.parseInt(typed ?? '', 10)
    if (Number.isFinite(wanted)) onPage(Math.min(count, Math.max(1, wanted)))
    setTyped(null)
  }
  return (
    <div className={styles.tools} role="group" aria-label="Reader">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          turn()
        }}
      >
        <label>
          Page
          <input
            inputMode="numeric"
            autoComplete="off"
            aria-label="Page number"
            style={{ width: `${String(count).length + 1.5}ch` }}
            value={typed ?? page}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onBlur={() => setTyped(null)}
          />
          of {count}
        </label>
      </form>
      <i />
      <IconButton label="Smaller" disabled={!smaller} onClick={() => smaller && onZoom(smaller)}>
        <Minus aria-hidden="true" />
      </IconButton>
      <output aria-label="Size">{Math.round(zoom * 100)}%</output>
      <IconButton label="Larger" disabled={!larger} onClick={() => larger && onZoom(larger)}>
        <Plus aria-hidden="true" />
      </IconButton>
    </div>
  )
}
