import { Copy } from 'lucide-react'
import type { CreatedKey } from '#shared/contract/api-keys.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { endOf, projectsOf } from './key-words.ts'
import styles from './keys.module.css'

/** Shows a new key once. Only its buttons close the dialog, because the key cannot be shown again. */
export function CreatedKeyDialog({
  created,
  onClose,
  onConnect,
}: {
  created: CreatedKey | null
  onClose: () => void
  onConnect: () => void
}) {
  const { mcp } = useSite()
  return (
    <Dialog open={created !== null} onOpenChange={() => {}} title="Your new key" locked>
      {created ? (
        <>
          <p className="text-muted-foreground text-meta mt-2 mb-3">
            {created.name} · {created.scopes.join(', ')} · {projectsOf(created)} ·{' '}
            {created.expires_at === null ? 'no expiry' : `until ${endOf(created)}`}
          </p>
          <code className={styles.secret} aria-label="Key">
            {created.key}
          </code>
          <p className="mt-3">
            You will not see it again. The server stores only a hash of it. Save it in your password manager.
          </p>
          <DialogActions>
            <Button onClick={() => void copyText(created.key, 'Key copied')}>
              <Copy aria-hidden />
              Copy
            </Button>
            {mcp ? <Button onClick={onConnect}>Connect an assistant</Button> : null}
            <Button variant="primary" onClick={onClose}>
              I have copied it
            </Button>
          </DialogActions>
        </>
      ) : null}
    </Dialog>
  )
}
