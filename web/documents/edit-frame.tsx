import type { ReactNode, Ref } from 'react'
import { documentTitle, type DocumentDetail } from '#shared/contract/documents.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { DISCARD_QUESTION } from '#web/lib/unsaved.ts'
import { Button } from '#web/ui/button.tsx'
import { HeadActions, PageHead } from '#web/ui/page.tsx'
import styles from './document.module.css'

/**
 * The frame of a document's form: a heading with Cancel and Save, a note if a draft was restored, and the fields as `children`.
 * Ctrl+Enter saves.
 */
export function EditFrame({
  document,
  heading,
  saveLabel,
  saving,
  draft,
  dialog,
  formRef,
  onSubmit,
  onCancel,
  children,
}: {
  document: DocumentDetail
  heading: string
  saveLabel: string
  saving: boolean
  draft: { restored: boolean; discard: () => void }
  /** The dialog of `useSaveTogether`, for fields that another user changed at the same time. */
  dialog: ReactNode
  formRef?: Ref<HTMLFormElement>
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
}) {
  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      // Also receives keys from dialogs, whose events bubble through React portals.
      onKeyDown={(event) => {
        const isWanted = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing
        if (!isWanted || saving || !event.currentTarget.contains(event.target as Node)) return
        event.preventDefault()
        onSubmit()
      }}
    >
      <PageHead className={styles.editHead}>
        <h1>{heading}</h1>
        <HeadActions>
          <Button variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" aria-keyshortcuts="Control+Enter Meta+Enter" disabled={saving}>
            {saving ? 'Saving...' : saveLabel}
          </Button>
        </HeadActions>
      </PageHead>
      {dialog}
      <p className="text-muted-foreground mb-4 wrap-anywhere">{documentTitle(document)}</p>
      {draft.restored ? (
        <div className={styles.draftNote} role="status">
          <p>The form was closed before these changes were saved. They are restored in the form.</p>
          <Button
            size="sm"
            onClick={() => void confirm(DISCARD_QUESTION).then((yes) => (yes ? draft.discard() : undefined))}
          >
            Discard changes
          </Button>
        </div>
      ) : null}
      {children}
    </form>
  )
}
