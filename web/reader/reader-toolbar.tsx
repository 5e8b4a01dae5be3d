import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const

interface ReaderToolbarProps {
  page: number
  count: number
  zoom: number
  onPage: (page: number) => void
  onZoom: (zoom: number) => void
}

/** Page number and zoom, at the bottom of the pages. 100% fits the width. */
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
    <div className="reader-tools" role="group" aria-label="Reader">
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
      <button
        type="button"
        className="icon-btn"
        aria-label="Smaller"
        disabled={!smaller}
        onClick={() => smaller && onZoom(smaller)}
      >
        <Minus className="ic" aria-hidden="true" />
      </button>
      <output aria-label="Size">{Math.round(zoom * 100)}%</output>
      <button
        type="button"
        className="icon-btn"
        aria-label="Larger"
        disabled={!larger}
        onClick={() => larger && onZoom(larger)}
      >
        <Plus className="ic" aria-hidden="true" />
      </button>
    </div>
  )
}
