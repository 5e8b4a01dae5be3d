import type { UsageOverview } from '#shared/contract/usage.ts'
import { SectionTitle } from '#web/ui/page.tsx'
import { count, dollars } from './figures.ts'
import styles from './usage.module.css'
import { useFold } from './use-fold.tsx'

/** The people with the most usage. The export contains all. */
export function PeopleTable({ usage }: { usage: UsageOverview | undefined }) {
  const { shown, more } = useFold(usage?.people ?? [], 'people')
  return (
    <section>
      <SectionTitle>By person</SectionTitle>
      {usage?.people.length === 0 ? <p className="text-muted-foreground">Nothing in this period.</p> : null}
      {usage && usage.people.length > 0 ? (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Calls</th>
              <th scope="col">Tokens</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((person) => (
              <tr key={person.user_id ?? ''}>
                <th scope="row">{person.full_name || person.email || 'Deleted accounts'}</th>
                <td>{count(person.calls)}</td>
                <td>{count(person.tokens)}</td>
                <td>{dollars(person.cost_usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {more}
      {usage && usage.people_count > usage.people.length ? (
        <p className="text-muted-foreground text-meta mt-2">
          The {usage.people.length} people with the most usage, of {count(usage.people_count)}. The export contains all.
        </p>
      ) : null}
    </section>
  )
}
