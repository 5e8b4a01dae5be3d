import { useState } from 'react'
import type { DocumentRow } from '#shared/contract/documents.ts'

/**
 * The selected documents, across pages. `shown` has the rows of the visible page: a selected document on it has its current values,
 * the others have those of the time of their selection.
 */
export function useSelection(shown: readonly DocumentRow[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, DocumentRow>>(new Map())
  return {
    rows: [...chosen.values()].map((row) => shown.find(({ id }) => id === row.id) ?? row),
    ids: new Set(chosen.keys()),
    change: (rows: readonly DocumentRow[], selected: boolean) =>
      setChosen((before) => {
        const next = new Map(before)
        for (const row of rows) {
          if (selected) next.set(row.id, row)
          else next.delete(row.id)
        }
        return next
      }),
    clear: () => setChosen(new Map()),
  }
}
