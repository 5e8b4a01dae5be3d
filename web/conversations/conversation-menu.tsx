import { useMutation } from '@tanstack/react-query'
import { Check, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Menu, MenuHead, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { deleteConversation, refreshConversations, useEditConversation } from './queries.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { shownTitle } from './titles.ts'

const FORMATS = [
  ['md', 'Markdown'],
  ['docx', 'Word (.docx)'],
  ['json', 'JSON'],
] as const
const VISIBILITIES = [
  ['me', 'Only me'],
  ['project', 'Project'],
] as const

interface ConversationMenuProps {
  conversation: Conversation
  /** Called after the conversation was deleted. */
  onGone?: () => void
}

/**
 * The menu of a conversation: export for all readers; deletion for its author; rename and visibility for its author with the
 * right to ask. Owners of the project hide or delete shared conversations of others.
 */
export function ConversationMenu({ conversation, onGone }: ConversationMenuProps) {
  const [isRenaming, setRenaming] = useState(false)
  const edit = useEditConversation(conversation)
  const removing = useMutation({ mutationFn: deleteConversation })
  const { id, is_mine, may_remove, visibility, version } = conversation
  const mayChange = useMay('ask') && is_mine
  const title = shownTitle(conversation)
  const show = (next: Conversation['visibility']) =>
    whenDone(edit.mutateAsync({ visibility: next, version }), {
      onSuccess: () =>
        toast({
          title:
            next === 'project'
              ? 'The members of the project see this conversation'
              : is_mine
                ? 'Only you see this conversation'
                : 'Only its author sees this conversation',
        }),
      onError: (error) =>
        toast({ title: 'The conversation could not be changed', description: reasonOf(error), destructive: true }),
    })
  const remove = async () => {
    const isSure = await confirm({
      title: `Delete the conversation "${title}"?`,
      about:
        visibility === 'project'
          ? `The questions and answers are deleted for all members of the project. ${is_mine ? 'Their runs, which contain them, stay in the list of runs.' : 'Their author can still open their runs, which contain them.'} This cannot be undone.`
          : 'The questions and answers are deleted. Their runs, which contain them, stay in your list of runs. This cannot be undone.',
      action: 'Delete',
    })
    if (!isSure) return
    whenDone(removing.mutateAsync(id), {
      onSuccess: () => {
        onGone?.()
        toast({ title: 'Conversation deleted' })
      },
      onError: (error) =>
        toast({ title: 'The conversation could not be deleted', description: messageOf(error), destructive: true }),
      onSettled: refreshConversations,
    })
  }
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${title}`}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        {mayChange ? (
          <>
            <MenuItem onSelect={() => setRenaming(true)}>Rename</MenuItem>
            <MenuSeparator />
            <MenuHead>Visible to</MenuHead>
            {VISIBILITIES.map(([value, label]) => (
              <MenuItem
                key={value}
                aria-current={value === visibility ? 'true' : undefined}
                onSelect={() => show(value)}
              >
                {label}
                {value === visibility ? <Check aria-label="chosen" className="ml-auto" /> : null}
              </MenuItem>
            ))}
            <MenuSeparator />
          </>
        ) : null}
        <MenuHead>Export</MenuHead>
        {FORMATS.map(([format, label]) => (
          <MenuItem key={format} asChild>
            <a href={api.conversationExport(id, format)} download>
              {label}
            </a>
          </MenuItem>
        ))}
        {may_remove ? (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => show('me')}>Hide from the project</MenuItem>
          </>
        ) : null}
        {is_mine || may_remove ? (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={() => void remove()}>
              Delete
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {isRenaming ? <RenameDialog conversation={conversation} onClose={() => setRenaming(false)} /> : null}
    </>
  )
}

const reasonOf = (error: Error) =>
  error instanceof ApiError && error.code === 'changed'
    ? 'Its visibility was changed meanwhile. The menu shows the present one.'
    : messageOf(error)
