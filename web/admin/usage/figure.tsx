import type { ReactNode } from 'react'
import { Skeleton } from '#web/ui/marks.tsx'

/** A large number with its name above and a sentence below; undefined while it is still coming. */
export function Figure({ label, value, about }: { label: string; value: string | undefined; about: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>{value ?? <Skeleton width="60%" height="1.75rem" />}</b>
        <p className="num">{value === undefined ? <Skeleton width="80%" /> : about}</p>
      </dd>
    </div>
  )
}

/** A name, a bar as long as its part of the largest, and the number; with `more`, a second number beside it. */
export function Share({
  label,
  value,
  most,
  colour,
  words,
  more,
}: {
  label: string
  value: number
  most: number
  colour: string
  words: string
  more?: string
}) {
  return (
    <div className="hbar">
      <dt>{label}</dt>
      <dd>
        <span aria-hidden>
          <i style={{ width: `${most > 0 ? (value / most) * 100 : 0}%`, background: colour }} />
        </span>
        <span className="num">{words}</span>
        {more === undefined ? null : <span className="num">{more}</span>}
      </dd>
    </div>
  )
}
