import { ArrowDown, ArrowUp, KeyRound } from 'lucide-react'
import type { Person } from '#shared/contract/people.ts'
import { EmptyRow, LoadingRows } from '#web/admin/index.ts'
import { shortDate, shortDateAndTime } from '#web/lib/dates.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ActionsHead, cells, DataTable } from '#web/ui/data-table.tsx'
import { Avatar, Badge } from '#web/ui/marks.tsx'
import styles from './people.module.css'
import { RoleToggle } from './role-toggle.tsx'

/** The sortable columns. `first` is the sort direction after the first click. */
const SORTED = {
  full_name: { label: 'Person', first: 'asc' },
  last_sign_in_at: { label: 'Last sign-in', first: 'desc' },
  created_at: { label: 'Joined', first: 'desc' },
} as const
type Column = keyof typeof SORTED

interface Props {
  rows: readonly Person[] | undefined
  /** Id of the signed-in user. */
  ownId: string
  sort: string
  onSort: (sort: string) => void
  onRole: (person: Person, isAdmin: boolean) => void
  onDisable: (person: Person, disabled: boolean) => void
  /** Undefined if users cannot sign in with a password on this server. */
  onPasswordLink: ((person: Person) => void) | undefined
}

/** Returns the display name of a user. */
export const nameOf = (person: { full_name: string | null; email: string }) => person.full_name || person.email

/** The table of users and their roles. A disabled administrator is an administrator again after the account is enabled. */
export function PeopleTable({ rows, ownId, sort, onSort, onRole, onDisable, onPasswordLink }: Props) {
  const head = (column: Column) => <SortHead column={column} sort={sort} onSort={onSort} />
  return (
    <DataTable className={styles.table} aria-busy={rows === undefined}>
      <thead>
        <tr>
          {head('full_name')}
          <th>Role</th>
          {head('last_sign_in_at')}
          {head('created_at')}
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {rows === undefined ? <LoadingRows columns={5} /> : null}
        {rows?.length === 0 ? <EmptyRow columns={5}>No users found</EmptyRow> : null}
        {rows?.map((person) => (
          <tr key={person.id}>
            <td className={cells.wide}>
              <Who person={person} own={person.id === ownId} />
            </td>
            <td>
              <RoleToggle
                name={nameOf(person)}
                isAdmin={person.is_admin}
                disabled={person.disabled_at !== null}
                onChange={(isAdmin) => onRole(person, isAdmin)}
              />
            </td>
            <td className="tabular-nums lining-nums max-md:hidden">
              {person.last_sign_in_at ? shortDateAndTime(person.last_sign_in_at) : 'Never'}
            </td>
            <td className="tabular-nums lining-nums max-md:hidden">{shortDate(person.created_at)}</td>
            <td className={cells.end}>
              {person.id === ownId ? null : (
                <div className="flex items-center justify-end gap-1">
                  {onPasswordLink ? (
                    <IconButton
                      label={`New password link for ${nameOf(person)}`}
                      onClick={() => onPasswordLink(person)}
                    >
                      <KeyRound aria-hidden />
                    </IconButton>
                  ) : null}
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={`${person.disabled_at ? 'Enable' : 'Disable'} ${nameOf(person)}`}
                    onClick={() => onDisable(person, person.disabled_at === null)}
                  >
                    {person.disabled_at ? 'Enable' : 'Disable'}
                  </Button>
                </div>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

/** The picture, name and e-mail address of a user. */
function Who({ person, own }: { person: Person; own: boolean }) {
  return (
    <div className={styles.person}>
      <Avatar email={person.email} picture={person.avatar_url} />
      <div>
        <p className="flex flex-wrap items-center gap-x-2">
          <b>{nameOf(person)}</b>
          {own ? <Badge>You</Badge> : null}
          {person.disabled_at ? <Badge tone="alarm">Disabled</Badge> : null}
        </p>
        <p>{person.email}</p>
      </div>
    </div>
  )
}

function SortHead({ column, sort, onSort }: { column: Column; sort: string; onSort: (sort: string) => void }) {
  const [by, direction] = sort.split('.')
  const active = by === column
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown
  const next = active ? (direction === 'asc' ? 'desc' : 'asc') : SORTED[column].first
  return (
    <th aria-sort={active ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}>
      <button type="button" onClick={() => onSort(`${column}.${next}`)}>
        {SORTED[column].label}
        {active ? <Arrow aria-hidden /> : null}
      </button>
    </th>
  )
}
