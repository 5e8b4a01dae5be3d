import { queryOptions, useMutation } from '@tanstack/react-query'
import { notice } from '#shared/contract/notices.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, many, messageOf, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'

/** The unread notices of the user, newest first. */
export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: ({ signal }) => request(api.notices({ unread: 'true' }), { schema: many(notice), signal }),
})

/** Marks a notice as read. */
export const useReadNotice = () =>
  useMutation({
    mutationFn: (id: string) => request(api.noticesRead(), { method: 'POST', body: { ids: [id] }, schema: anything }),
    onError: (error) =>
      toast({ title: 'The notice could not be dismissed', description: messageOf(error), destructive: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  })
