import { encodeQR } from 'qr'

/** Width of the light border around the QR code, in modules (squares of the code). Scanners require it. */
const MARGIN = 4

/** A QR code, dark on light in both themes, because scanners do not read inverted codes. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: MARGIN })
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className="w-50 border border-border bg-page fill-(--page-ink)"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
