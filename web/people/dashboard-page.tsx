import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { LAST_ADMIN, PEOPLE_PAGE_SIZE, PEOPLE_PAGE_SIZES } from '#shared/contract/people.ts'
import type { PeopleShown, Person } from '#shared/contract/people.ts'
import { SearchField } from '#web/admin/index.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { ProofHost, useSession } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { grouped } from '#shared/text/numbers.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { FilterBar } from '#web/ui/data-table.tsx'
import { Page, PageHead, SectionTitle } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { PasswordLinkDialog } from './password-link-dialog.tsx'
import { nameOf, PeopleTable } from './people-table.tsx'
import { DEFAULT_SORT, isOnlyAdmin, peopleQuery, useChangePerson } from './queries.ts'
import type { PeopleSearch } from './search.ts'

const SHOWN: { value: PeopleShown | 'all'; label: string }[] = [
  { value: 'all', label: 'All people' },
  { value: 'admins', label: 'Admins' },
  { value: 'users', label: 'Regular users' },
  { value: 'disabled', label: 'Disabled' },
]

/**
 * The page with all users of this installation. Search text, filter, sorting and page number are search parameters of the URL.
 */
export function DashboardPage({
  search,
  onSearch,
}: {
  search: PeopleSearch
  onSearch: (search: PeopleSearch) => void
}) {
  useTitle('Admin Dashboard')
  const { session } = useSession()
  const list = useQuery(peopleQuery(search))
  const { setRole, setDisabled } = usePersonActions(session?.user.id ?? '')
  const { password_sign_in } = useSite()
  const [linked, setLinked] = useState<Person | null>(null)
  const failed = list.error
  useEffect(() => {
    if (failed)
      toast({
        title: 'Error loading users',
        description: 'There was a problem loading user data. Please try again later.',
        destructive: true,
      })
  }, [failed])

  const change = (patch: Partial<PeopleSearch>) => onSearch({ ...search, page: undefined, ...patch })
  const count = list.data?.count ?? 0
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>Admin Dashboard</h1>
      </PageHead>
      <SectionTitle className="mb-3">
        Users{' '}
        {list.data ? (
          <span className="text-muted-foreground tabular-nums lining-nums font-normal">{grouped(count)}</span>
        ) : null}
      </SectionTitle>
      <FilterBar role="search">
        <SearchField
          label="Search people"
          value={search.search ?? ''}
          onChange={(words) => change({ search: words || undefined })}
        />
        <Select
          aria-label="Show"
          value={search.show ?? 'all'}
          onChange={(show) => change({ show: show === 'all' ? undefined : (show as PeopleShown) })}
          options={SHOWN}
        />
      </FilterBar>
      {list.isLoadingError ? (
        <LoadFailed title="Error loading users" error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <PeopleTable
            rows={list.data?.data}
            ownId={session?.user.id ?? ''}
            sort={search.sort ?? DEFAULT_SORT}
            onSort={(sort) => change({ sort: sort === DEFAULT_SORT ? undefined : sort })}
            onRole={(person, isAdmin) => void setRole(person, isAdmin)}
            onDisable={(person, disabled) => void setDisabled(person, disabled)}
            onPasswordLink={password_sign_in ? setLinked : undefined}
          />
          <ListPager
            list={list}
            page={search.page}
            limit={search.limit ?? PEOPLE_PAGE_SIZE}
            limits={PEOPLE_PAGE_SIZES}
            onPage={(page) => onSearch({ ...search, page: page > 1 ? page : undefined })}
            onLimit={(size) => change({ limit: size === PEOPLE_PAGE_SIZE ? undefined : size })}
          />
        </>
      )}
      <PasswordLinkDialog person={linked} onClose={() => setLinked(null)} />
      <ProofHost />
    </Page>
  )
}

/** Returns functions that change an account, including their confirmations and toasts. `ownId`: id of the signed-in user. */
function usePersonActions(ownId: string) {
  const changing = useChangePerson()
  const refuse = (reason: string) => toast({ title: `Failed to update admin status: ${reason}`, destructive: true })
  const setRole = async (person: Person, isAdmin: boolean) => {
    // An impossible change needs no confirmation.
    if (!isAdmin && (await isOnlyAdmin(person.id))) return refuse(LAST_ADMIN)
    const sure =
      person.id !== ownId ||
      (await confirm({
        title: 'Give up your own admin right?',
        about: 'The admin area closes for you at once. Only another admin can give the right back.',
        action: 'Give up the right',
      }))
    if (!sure) return
    await change(person, isAdmin)
  }
  const change = (person: Person, isAdmin: boolean) => {
    const undo = { label: 'Undo', run: () => void change(person, !isAdmin) }
    // mutateAsync, because several users can be changed at a time, and each needs its own toast.
    return changing.mutateAsync({ id: person.id, patch: { is_admin: isAdmin } }).then(
      () =>
        toast({
          title: `User admin status updated to ${isAdmin ? 'admin' : 'regular user'}`,
          // No undo for the own right: without it, the undo would be refused.
          ...(person.id === ownId ? {} : { action: undo }),
        }),
      (error: unknown) => refuse(messageOf(error)),
    )
  }
  const setDisabled = async (person: Person, disabled: boolean) => {
    const sure =
      !disabled ||
      (await confirm({
        title: `Disable the account of ${nameOf(person)}?`,
        about:
          'They are signed out on all devices and their running jobs stop. Their projects and papers do not change.',
        action: 'Disable account',
      }))
    if (!sure) return
    const verb = disabled ? 'disable' : 'enable'
    await changing.mutateAsync({ id: person.id, patch: { disabled } }).then(
      () => toast({ title: `Account ${verb}d` }),
      (error: unknown) => toast({ title: `Failed to ${verb} the account: ${messageOf(error)}`, destructive: true }),
    )
  }
  return { setRole, setDisabled }
}
