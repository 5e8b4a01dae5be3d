import { Badge } from './marks.tsx'

/** What everybody should see of a paper wherever it is named: that it was retracted, and that its PDF is not there. */
export function PaperMarks({ retracted, withoutFile = false }: { retracted: boolean; withoutFile?: boolean }) {
  if (!retracted && !withoutFile) return null
  return (
    <span className="paper-marks">
      {retracted ? <Badge tone="alarm">Retracted</Badge> : null}
      {withoutFile ? <Badge tone="quiet">No PDF</Badge> : null}
    </span>
  )
}
