import { Copy } from 'lucide-react'
import type { SentInvitation } from '#shared/contract/invitations.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'

/** The links of the invitations that were just created, each with a button to copy it. */
export const InvitationLinks = ({ sent, onClose }: { sent: readonly SentInvitation[]; onClose: () => void }) => (
  <div className="mt-4.5 grid grid-cols-1 gap-4">
    {sent.map(({ id, email, link }) => (
      <Field key={id} label={email ? `Link for ${email}` : 'Link for anyone'}>
        {(ids) => (
          <div className="flex gap-2">
            <Input
              {...ids}
              className="min-w-0 flex-1"
              readOnly
              value={link}
              onFocus={(event) => event.target.select()}
            />
            <Button
              aria-label={email ? `Copy link for ${email}` : undefined}
              onClick={() => void copyText(link, 'Link copied')}
            >
              <Copy aria-hidden />
              Copy link
            </Button>
          </div>
        )}
      </Field>
    ))}
    <DialogActions>
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </DialogActions>
  </div>
)
