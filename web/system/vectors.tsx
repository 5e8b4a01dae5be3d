import type { SystemStatus } from '#shared/contract/system.ts'
import { messageOf } from '#web/lib/api.ts'
import { grouped } from '#shared/text/numbers.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { useChangeVectors } from './queries.ts'

/**
 * Shows the model that computes new vectors, and the number of documents whose vectors are of another model. A button pauses or
 * continues the background work that vectorizes these documents again.
 */
export function Vectors({ vectors }: { vectors: SystemStatus['vectors'] }) {
  const changing = useChangeVectors()
  const { model, documents, stale, is_paused: isPaused } = vectors
  if (model === null) return <p>This server has no sentence model. Papers are searched by words only.</p>
  const change = () =>
    void changing
      .mutateAsync(!isPaused)
      .catch((error: unknown) =>
        toast({ title: 'Failed to change the renewal of vectors', description: messageOf(error), destructive: true }),
      )
  return (
    <>
      <p>
        The current model is <b>{model}</b>.{' '}
        {stale === 0
          ? 'All vectorized documents have its vectors.'
          : `${grouped(stale)} of ${grouped(documents)} vectorized documents have vectors of another model and are searched by words. ${
              isPaused ? 'They are not vectorized again.' : 'They are vectorized again in the background, newest first.'
            }`}
      </p>
      {stale > 0 || isPaused ? (
        <Button className="mt-3" disabled={changing.isPending} onClick={change}>
          {isPaused ? 'Continue vectorizing' : 'Pause vectorizing'}
        </Button>
      ) : null}
    </>
  )
}
