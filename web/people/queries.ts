import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { api } from '#shared/contract/paths.ts'
import { PEOPLE_PAGE_SIZE, person } from '#shared/contract/people.ts'
import type { Person, PersonPatch } from '#shared/contract/people.ts'
import { sessionQuery } from '#web/auth/index.ts'
import { one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import type { PeopleSearch } from './search.ts'

const PEOPLE = ['admin-people'] as const
export const DEFAULT_SORT = 'full_name.asc'

/** Query: a page of the users. The previous page stays visible while the next one loads. */
export const peopleQuery = ({ search, show, page: at = 1, limit = PEOPLE_PAGE_SIZE, sort }: PeopleSearch) =>
  queryOptions({
    queryKey: [...PEOPLE, { search, show, at, limit, sort }],
    queryFn: ({ signal }) =>
      request(
        api.adminPeople({
          search: search?.trim() ?? '',
          ...(show ? { show } : {}),
          page: at,
          limit,
          order_by: sort ?? DEFAULT_SORT,
        }),
        { schema: page(person), signal },
      ),
    placeholderData: keepPreviousData,
    // Always refetched, so that sign-ins of the last minutes are visible.
    staleTime: 0,
  })

/**
 * Returns true if this user is the only active administrator. Returns false if the request fails, because the server checks
 * this again.
 */
export const isOnlyAdmin = (id: string): Promise<boolean> =>
  queryClient.query(peopleQuery({ show: 'admins' })).then(
    ({ data, count }) => count === 1 && data[0]?.id === id,
    () => false,
  )

type List = { data: Person[]; count: number }

/** Mutation: changes an account. Updates the lists of users at once, and restores the row if the server refuses the change. */
export const useChangePerson = () =>
  useMutation({
    mutationFn: ({ id, patch }: { id: string; patch: PersonPatch }) =>
      request(api.adminPerson(id), { method: 'PATCH', body: patch, schema: one(person) }),
    onMutate: async ({ id, patch }) => {
      await queryClient.cancelQueries({ queryKey: PEOPLE })
      const before = queryClient
        .getQueriesData<List>({ queryKey: PEOPLE })
        .flatMap(([, list]) => list?.data ?? [])
        .find((row) => row.id === id)
      put(id, (row) => ({
        ...row,
        is_admin: patch.is_admin ?? row.is_admin,
        disabled_at: patch.disabled === undefined ? row.disabled_at : patch.disabled ? new Date().toISOString() : null,
      }))
      return { before }
    },
    // Reverts this row only, because another row may have changed meanwhile.
    onError: (_error, { id }, context) => put(id, (row) => context?.before ?? row),
    onSuccess: async (changed) => {
      put(changed.id, () => changed)
      // The role of the user decides which pages are visible.
      if (queryClient.getQueryData(sessionQuery.queryKey)?.user.id === changed.id)
        await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })

function put(id: string, change: (row: Person) => Person) {
  queryClient.setQueriesData<List>(
    { queryKey: PEOPLE },
    (list) => list && { ...list, data: list.data.map((row) => (row.id === id ? change(row) : row)) },
  )
}
