import styles from './marks.module.css'
import { Badge } from './marks.tsx'

/** Warnings beside the title of a paper: retracted, without a PDF, or removed in Zotero. */
export function PaperMarks({
  retracted,
  withoutFile = false,
  removedInZotero = false,
}: {
  retracted: boolean
  withoutFile?: boolean
  removedInZotero?: boolean
}) {
  if (!retracted && !withoutFile && !removedInZotero) return null
  return (
    <span className={styles.paperMarks} data-slot="paper-marks">
      {retracted ? <Badge tone="alarm">Retracted</Badge> : null}
      {withoutFile ? <Badge tone="quiet">No PDF</Badge> : null}
      {removedInZotero ? <Badge tone="quiet">Removed in Zotero</Badge> : null}
    </span>
  )
}
