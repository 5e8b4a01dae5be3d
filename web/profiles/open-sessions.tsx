import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/lib/api.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge, Skeleton } from '#web/ui/marks.tsx'
import { sessionsQuery, useRevokeOthers, useRevokeSession } from './queries.ts'

const failed = (error: Error) => toast({ title: 'Error signing out', description: messageOf(error), destructive: true })

/** The open sessions of the account, with buttons to end them. */
export function OpenSessions() {
  const { data, error, isLoadingError, refetch } = useQuery(sessionsQuery)
  const one = useRevokeSession()
  const others = useRevokeOthers()
  if (isLoadingError)
    return (
      <div role="alert">
        <p className="mb-3">{messageOf(error)}</p>
        <Button onClick={() => void refetch()}>Retry</Button>
      </div>
    )
  if (!data) return <Skeleton height="3rem" />
  return (
    <div className="max-w-md">
      <ul aria-label="Sessions">
        {data.map((session) => (
          <li key={session.id} className="flex items-center justify-between gap-4 py-2">
            <div>
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.current ? <Badge>This session</Badge> : null}
              </p>
              <p className="text-muted-foreground text-meta tabular-nums lining-nums">
                {session.current ? 'In use now' : `Last used ${shortDateAndTime(session.last_used_at)}`}
                {session.ip_address ? ` from ${session.ip_address}` : ''}
              </p>
            </div>
            {session.current ? null : (
              <Button
                size="sm"
                aria-label={`Sign out ${session.device}`}
                disabled={one.isPending}
                onClick={() =>
                  whenDone(one.mutateAsync(session.id), {
                    onSuccess: () => toast({ title: 'Session ended' }),
                    onError: failed,
                  })
                }
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.length > 1 ? (
        <Button
          className="mt-3"
          disabled={others.isPending}
          onClick={() =>
            whenDone(others.mutateAsync(), {
              onSuccess: () => toast({ title: 'Signed out everywhere else' }),
              onError: failed,
            })
          }
        >
          Sign out everywhere else
        </Button>
      ) : null}
    </div>
  )
}
