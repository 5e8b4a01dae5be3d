import type { ImportDetail } from '#shared/contract/imports.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { undoImport } from './queries.ts'

/**
 * Undoes an import after a confirmation, which shows how many papers will be deleted and how many stay. If the import is undone
 * already, deletes the papers that remain because the undo was interrupted or because they were restored.
 */
export async function confirmAndUndo({ id, read_count, undone_at, undo }: ImportDetail): Promise<void> {
  const isConfirmed = await confirm({
    title: undone_at === null ? 'Undo this import?' : 'Delete the remaining papers?',
    about:
      `${counted(undo.deleted, 'paper')} that nothing else uses ${undo.deleted === 1 ? 'is' : 'are'} deleted; ` +
      `${counted(undo.stays, 'paper')} ${undo.stays === 1 ? 'stays' : 'stay'}. ` +
      `The ${counted(read_count, 'record')} stay in the list, and deleted papers wait in the trash.`,
    action: undone_at === null ? 'Undo import' : 'Delete papers',
  })
  if (!isConfirmed) return
  try {
    const { deleted, stays } = await undoImport(id)
    toast({ title: 'Import undone', description: `${counted(deleted, 'paper')} deleted, ${stays} stay.` })
  } catch (error) {
    toast({ title: 'Error', description: messageOf(error), destructive: true })
  }
}
