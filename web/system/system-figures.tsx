import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import type { SystemStatus } from '#shared/contract/system.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { useSite } from '#web/lib/site.ts'
import { Figure, Figures } from '#web/ui/figures.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { uptime } from './uptime.ts'

/** The main numbers of the installation, for example its version and number of users, and where its data is stored. */
export function SystemFigures({ status }: { status: SystemStatus | undefined }) {
  const { commit } = useSite()
  if (!status)
    return (
      <>
        {[0, 1].map((line) => (
          <Figures key={line} className={line === 0 ? 'border-t-[1.5px] border-rule' : undefined} aria-busy>
            {[0, 1, 2, 3].map((place) => (
              <Figure key={place} label={<Skeleton width="5rem" />} value={undefined} about="" />
            ))}
          </Figures>
        ))}
      </>
    )
  const { people, feeds, database, storage } = status
  return (
    <>
      {status.failing.length > 0 ? (
        <p className="mb-4 rounded-md bg-status-error-tint px-4 py-3 text-destructive" role="alert">
          Not responding: {status.failing.join(', ')}.
        </p>
      ) : null}
      <Figures className="border-t-[1.5px] border-rule">
        <Figure
          label="Version"
          value={status.version}
          about={`${commit ? `Commit ${commit.slice(0, 12)}, ` : ''}Node ${status.node_version.replace(/^v/, '')}`}
        />
        <Figure
          label="Running for"
          value={uptime(Date.now() - Date.parse(status.started_at))}
          about={`Since ${shortDateAndTime(status.started_at)}`}
        />
        <Figure
          label="People"
          value={grouped(people.count)}
          about={`${grouped(people.active)} active in the last 30 days`}
        />
        <Figure
          label="Feeds followed"
          value={grouped(feeds.followed)}
          about={feeds.last_success_at ? `Last success ${shortDateAndTime(feeds.last_success_at)}` : 'None read yet'}
        />
      </Figures>
      <Figures>
        <Figure
          label="Database"
          value={database.mode === 'embedded' ? 'Embedded' : 'Server'}
          about={`PostgreSQL ${database.version}${database.mode === 'embedded' ? ', inside this process' : ''}`}
        />
        <Figure
          label="Files"
          value={storage.kind === 'folder' ? 'Folder' : 'Bucket'}
          about={
            <>
              {storage.place}.{' '}
              <Link className="text-link" to={pages.adminUsage()}>
                Sizes
              </Link>
            </>
          }
        />
        <Figure
          label="Admins"
          value={grouped(people.admins)}
          about={`${grouped(people.disabled)} disabled account${people.disabled === 1 ? '' : 's'}`}
        />
        <Figure label="Feeds failing" value={grouped(feeds.failing)} about="at the last attempt" />
      </Figures>
    </>
  )
}
