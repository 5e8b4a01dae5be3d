import type { CSSProperties } from 'react'
import type { Marking } from './mark-passage.ts'
import type { Box } from './passage-boxes.ts'

const percent = (share: number) => `${(share * 100).toFixed(3)}%`

const place = (box: Box): CSSProperties => ({
  left: percent(box.left),
  top: percent(box.top),
  width: percent(box.width),
  height: percent(box.height),
})

/**
 * The highlight of a cited passage and the bar to the left of its column. They are below the page image, which is blended with
 * them, so the text stays black. Hidden from screen readers, because a live region announces the passage.
 */
export function PassageMarks({ marking, page }: { marking: Extract<Marking, { kind: 'marked' }>; page: number }) {
  return (
    <div aria-hidden="true" data-passage-page={page} data-highlighted={marking.text}>
      {marking.lines.map((line, index) => (
        <i key={index} className="absolute bg-page-highlight" data-slot="passage-line" style={place(line)} />
      ))}
      {marking.bars.map((bar, index) => (
        <i
          key={index}
          className="absolute w-[max(2px,0.38%)] bg-page-edge"
          style={{ left: percent(bar.left), top: percent(bar.top), height: percent(bar.height) }}
        />
      ))}
    </div>
  )
}
