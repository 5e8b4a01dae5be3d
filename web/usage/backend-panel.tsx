import type { BackendUsage } from '#shared/contract/usage.ts'
import { counted } from '#web/lib/dates.ts'
import { SectionTitle } from '#web/ui/page.tsx'
import { Figure, Figures } from '#web/ui/figures.tsx'
import { Share } from './share.tsx'
import { megabytes, roundedDollars } from './figures.ts'
import styles from './usage.module.css'

/** Labels of the storage folders. */
const KINDS: Record<string, string> = {
  documents: 'Papers',
  project_hero: 'Project images',
  avatars: 'Profile pictures',
  imports: 'Imported files',
}

/** Size and monthly cost of the files and of the database. */
export function BackendPanel({ backend }: { backend: BackendUsage | undefined }) {
  const { storage, database } = backend ?? {}
  const kinds = Object.entries(storage?.kinds ?? {}).toSorted(([, a], [, b]) => b - a)
  return (
    <>
      <Figures>
        <Figure
          label="Storage size"
          value={storage && megabytes(storage.size_mb)}
          about={storage ? counted(storage.files, 'file') : null}
        />
        <Figure
          label="Storage cost"
          value={storage && roundedDollars(storage.cost_usd)}
          about="0.021 dollars per 1000 MB"
        />
        <Figure label="Database size" value={database && megabytes(database.size_mb)} about="With indexes" />
        <Figure
          label="Database cost"
          value={database && roundedDollars(database.cost_usd)}
          about="0.125 dollars per 1000 MB"
        />
      </Figures>
      <div className={styles.columns}>
        <section>
          <SectionTitle>Files by kind</SectionTitle>
          {storage && kinds.length === 0 ? <p className="text-muted-foreground">No file is stored yet.</p> : null}
          <dl className="grid grid-cols-[fit-content(9rem)_minmax(2rem,1fr)_max-content] gap-x-3">
            {kinds.map(([kind, size]) => (
              <Share
                key={kind}
                label={KINDS[kind] ?? kind}
                value={size}
                most={kinds[0]![1]}
                colour="var(--chart-1)"
                words={megabytes(size)}
              />
            ))}
          </dl>
        </section>
        <section>
          <SectionTitle>Largest tables</SectionTitle>
          <dl className="grid grid-cols-[fit-content(9rem)_minmax(2rem,1fr)_max-content] gap-x-3">
            {database?.tables.map(({ name, size_mb }) => (
              <Share
                key={name}
                label={name}
                value={size_mb}
                most={database.tables[0]!.size_mb}
                colour="var(--chart-3)"
                words={megabytes(size_mb)}
              />
            ))}
          </dl>
        </section>
      </div>
    </>
  )
}
