import type { UsageOverview } from '#shared/contract/usage.ts'
import { grouped } from '#shared/text/numbers.ts'
import { SectionTitle } from '#web/ui/page.tsx'
import { dollars } from './figures.ts'
import { FiguresTable } from './figures-table.tsx'
import { useFold } from './use-fold.tsx'

/** The table of the people with the most usage. The exported file contains all people. */
export function PeopleTable({ usage }: { usage: UsageOverview | undefined }) {
  const { shown, more } = useFold(usage?.people ?? [], 'people')
  return (
    <section>
      <SectionTitle>By person</SectionTitle>
      <FiguresTable
        columns={['Person', 'Calls', 'Tokens', 'Cost']}
        rows={
          usage &&
          shown.map((person) => ({
            key: person.user_id ?? '',
            name: person.full_name || person.email || 'Deleted accounts',
            cells: [grouped(person.calls), grouped(person.tokens), dollars(person.cost_usd)],
          }))
        }
      />
      {more}
      {usage && usage.people_count > usage.people.length ? (
        <p className="text-muted-foreground text-meta mt-2">
          The {usage.people.length} people with the most usage, of {grouped(usage.people_count)}. The export contains
          all.
        </p>
      ) : null}
    </section>
  )
}
