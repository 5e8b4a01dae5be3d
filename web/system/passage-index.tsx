import type { SystemStatus } from '#shared/contract/system.ts'
import { messageOf } from '#web/lib/api.ts'
import { grouped } from '#shared/text/numbers.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { useChangeIndex } from './queries.ts'

/**
 * The state of the index for the search over passages: how many documents are in it, and a button that pauses or continues the
 * indexing.
 */
export function PassageIndex({ index }: { index: SystemStatus['index'] }) {
  const changing = useChangeIndex()
  const { documents, waiting, is_paused: isPaused } = index
  const change = () =>
    void changing
      .mutateAsync(!isPaused)
      .catch((error: unknown) =>
        toast({ title: 'Failed to change the index', description: messageOf(error), destructive: true }),
      )
  return (
    <>
      <p>
        {waiting === 0
          ? 'All documents are in the index of the search over passages.'
          : `${grouped(documents - waiting)} of ${grouped(documents)} documents are in the index of the search over passages. ${
              isPaused ? 'The others are not added.' : 'The others are added in the background, newest first.'
            }`}
      </p>
      {waiting > 0 || isPaused ? (
        <Button className="mt-3" disabled={changing.isPending} onClick={change}>
          {isPaused ? 'Continue indexing' : 'Pause indexing'}
        </Button>
      ) : null}
    </>
  )
}
