import type { ImportDetail } from '#shared/contract/imports.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { undoImport } from './queries.ts'

/** Undoes an import after a confirmation, which shows how many papers will be deleted and how many stay. */
export async function confirmAndUndo({ id, read_count, undo }: ImportDetail): Promise<void> {
  const isConfirmed = await confirm({
    title: 'Undo this import?',
    about:
      `${counted(undo.deleted, 'paper')} that nothing else uses ${undo.deleted === 1 ? 'is' : 'are'} deleted; ` +
      `${counted(undo.stays, 'paper')} ${undo.stays === 1 ? 'stays' : 'stay'}. ` +
      `The ${counted(read_count, 'record')} stay in the list, and deleted papers wait in the trash.`,
    action: 'Undo import',
  })
  if (!isConfirmed) return
  try {
    const { deleted, stays } = await undoImport(id)
    toast({ title: 'Import undone', description: `${counted(deleted, 'paper')} deleted, ${stays} stay.` })
  } catch (error) {
    toast({ title: 'Error', description: messageOf(error), destructive: true })
  }
}
