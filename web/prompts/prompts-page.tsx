import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Prompt } from '#shared/contract/prompts.ts'
import { promptsQuery } from '#web/analysis/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { PromptDialog } from './prompt-dialog.tsx'
import { PromptsTable } from './prompts-table.tsx'
import { useDeletePrompt } from './queries.ts'
import { VersionsDialog } from './versions-dialog.tsx'

type Shown = { what: 'form'; prompt: Prompt | null } | { what: 'versions'; prompt: Prompt }

/** The page with the prompts for analyses, newest first. */
export function PromptsPage() {
  useTitle('Prompt Library')
  const list = useQuery(promptsQuery)
  const deleting = useDeletePrompt()
  const [shown, setShown] = useState<Shown | null>(null)
  const rows = list.data?.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  const remove = async (prompt: Prompt) => {
    const sure = await confirm({
      title: 'Are you sure you want to delete this prompt?',
      about: `“${prompt.name}” is removed from the library. Analyses made with it keep its text.${prompt.default ? ' It is the default prompt: until you choose another one, the newest prompt replaces it.' : ''}`,
      action: 'Delete prompt',
    })
    if (!sure) return
    await deleting.mutateAsync(prompt.id).then(
      () => toast({ title: 'Prompt deleted' }),
      (error: unknown) => toast({ title: 'Failed to delete prompt', description: messageOf(error), destructive: true }),
    )
  }
  const close = (open: boolean) => !open && setShown(null)
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>Prompt Library{rows ? <HeadCount className="tabular-nums lining-nums">{rows.length}</HeadCount> : null}</h1>
        <HeadActions>
          <Button variant="primary" onClick={() => setShown({ what: 'form', prompt: null })}>
            <Plus aria-hidden />
            Add prompt
          </Button>
        </HeadActions>
      </PageHead>
      {list.isLoadingError ? (
        <LoadFailed title="The prompts could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState
          title="No prompts yet."
          about="A prompt tells a model what to extract from a paper. Researchers choose one when they analyze a document."
          actions={<Button onClick={() => setShown({ what: 'form', prompt: null })}>Add prompt</Button>}
        />
      ) : (
        <PromptsTable
          rows={rows}
          onEdit={(prompt) => setShown({ what: 'form', prompt })}
          onVersions={(prompt) => setShown({ what: 'versions', prompt })}
          onDelete={(prompt) => void remove(prompt)}
        />
      )}
      {shown?.what === 'form' ? <PromptDialog prompt={shown.prompt} onOpenChange={close} /> : null}
      {shown?.what === 'versions' ? <VersionsDialog prompt={shown.prompt} onOpenChange={close} /> : null}
    </Page>
  )
}
