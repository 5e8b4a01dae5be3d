/**
 * Returns the text of each file with the code of a new feature in the folder `web`, by path: its public interface (index.ts),
 * queries, screen and route.
 */
export const roomWebFiles = ({ room, plural, single, Plural, Single, label, words, word }) => ({
  [`web/${room}/index.ts`]: `export { ${Plural}Page } from './${room}-page.tsx'
`,
  [`web/${room}/queries.ts`]: `import { queryOptions, useMutation } from '@tanstack/react-query'
import { ${single}, type ${Single}Input } from '#shared/contract/${room}.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, messageOf, one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'

/** The user's ${words}, newest first. */
export const ${plural}Query = queryOptions({
  queryKey: ['${room}'],
  queryFn: ({ signal }) => request(api.${plural}(), { schema: page(${single}), signal }),
})

const refresh = () => queryClient.invalidateQueries({ queryKey: ${plural}Query.queryKey })
const failed = (error: Error) =>
  toast({ title: 'Error saving the ${word}', description: messageOf(error), destructive: true })

/** Creates a ${word}. */
export const useCreate${Single} = () =>
  useMutation({
    mutationFn: (body: ${Single}Input) => request(api.${plural}(), { method: 'POST', body, schema: one(${single}) }),
    onError: failed,
    onSettled: refresh,
  })

/** Deletes a ${word}. */
export const useDelete${Single} = () =>
  useMutation({
    mutationFn: (id: string) => request(api.${single}(id), { method: 'DELETE', schema: anything }),
    onError: failed,
    onSettled: refresh,
  })
`,
  [`web/${room}/${room}-page.tsx`]: `import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { ${single}Input } from '#shared/contract/${room}.ts'
import { messageOf } from '#web/lib/api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { Page, PageHead } from '#web/ui/page.tsx'
import { useCreate${Single}, useDelete${Single}, ${plural}Query } from './queries.ts'

/** The user's ${words}, with a form for a new one. */
export function ${Plural}Page() {
  useTitle('${label}')
  return (
    <Page>
      <PageHead>
        <h1>${label}</h1>
      </PageHead>
      <New${Single} />
      <${Single}List />
    </Page>
  )
}

function New${Single}() {
  const creating = useCreate${Single}()
  const form = useForm({ resolver: zodResolver(${single}Input), defaultValues: { title: '' } })
  const submit = form.handleSubmit((input) =>
    whenDone(creating.mutateAsync(input), { onSuccess: () => form.reset(), onError: () => undefined }),
  )
  return (
    <form className="flex flex-wrap items-end gap-3 py-4" onSubmit={(event) => void submit(event)} noValidate>
      <Field label="Title" error={form.formState.errors.title?.message} className="grow">
        {(ids) => <Input {...ids} {...form.register('title')} />}
      </Field>
      <Button type="submit" variant="primary" disabled={creating.isPending}>
        Add ${word}
      </Button>
    </form>
  )
}

function ${Single}List() {
  const list = useQuery(${plural}Query)
  const deleting = useDelete${Single}()
  if (list.isPending) return <Waiting>Loading ${words}...</Waiting>
  if (list.isError) return <p role="alert">{messageOf(list.error)}</p>
  if (list.data.count === 0) return <EmptyState title="No ${words} yet." about="Add one above." />
  return (
    <ul>
      {list.data.data.map(({ id, title }) => (
        <li key={id} className="flex items-center justify-between gap-3 border-t border-rule py-2">
          {title}
          <Button
            size="sm"
            variant="ghost"
            aria-label={\`Delete \${title}\`}
            disabled={deleting.isPending}
            onClick={() => deleting.mutate(id)}
          >
            Delete
          </Button>
        </li>
      ))}
    </ul>
  )
}
`,
  [`web/routes/${room}.tsx`]: `import { createFileRoute } from '@tanstack/react-router'
import { RequireSession } from '#web/auth/index.ts'
import { ${Plural}Page } from '#web/${room}/index.ts'

export const Route = createFileRoute('/${room}')({
  component: () => <RequireSession>{() => <${Plural}Page />}</RequireSession>,
})
`,
})
