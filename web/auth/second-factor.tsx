import { Suspense } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { Skeleton } from '#web/ui/marks.tsx'

// The QR code maker is fetched where a second factor is set up, and nowhere else.
const Panel = lazyPart(() => import('./second-factor-panel.tsx').then((file) => file.SecondFactorPanel))

/** Setting up, renewing and turning off the second factor of whoever is signed in. Stands below a heading of the page. */
export function SecondFactor({ onTurnedOn }: { onTurnedOn: () => void }) {
  return (
    <Suspense fallback={<Skeleton height="2.5rem" />}>
      <Panel onTurnedOn={onTurnedOn} />
    </Suspense>
  )
}
