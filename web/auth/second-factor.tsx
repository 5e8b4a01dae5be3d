import { Suspense } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { Skeleton } from '#web/ui/marks.tsx'

// A separate chunk, because only this panel needs the QR code generator.
const Panel = lazyPart(() => import('./second-factor-panel.tsx').then((file) => file.SecondFactorPanel))

/** Sets up, renews and turns off the second factor of the signed-in user. Place it below a heading. */
export function SecondFactor({ onTurnedOn }: { onTurnedOn: () => void }) {
  return (
    <Suspense fallback={<Skeleton height="2.5rem" />}>
      <Panel onTurnedOn={onTurnedOn} />
    </Suspense>
  )
}
