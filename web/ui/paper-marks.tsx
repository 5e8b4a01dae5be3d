import styles from './marks.module.css'
import { Badge } from './marks.tsx'

/** Warnings beside the title of a paper: retracted, or without a PDF. */
export function PaperMarks({ retracted, withoutFile = false }: { retracted: boolean; withoutFile?: boolean }) {
  if (!retracted && !withoutFile) return null
  return (
    <span className={styles.paperMarks} data-slot="paper-marks">
      {retracted ? <Badge tone="alarm">Retracted</Badge> : null}
      {withoutFile ? <Badge tone="quiet">No PDF</Badge> : null}
    </span>
  )
}
