import { Suspense, useCallback, useRef, useState } from 'react'
import { AVATAR_MAX_BYTES } from '#shared/contract/pictures.ts'
import { AVATAR_NOT_AN_IMAGE, AVATAR_TOO_LARGE } from '#shared/contract/profiles.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import { messageOf } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { useAvatar } from './queries.ts'

// Loaded when a picture has been chosen.
const CropDialog = lazyPart(() => import('./crop-dialog.tsx').then((file) => file.CropDialog))

/** The field for the profile picture. The user can choose a picture, crop it to a square, or remove it. */
export function AvatarField({ profile }: { profile: Profile }) {
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File | null>(null)
  const saving = useAvatar(profile.id)
  const refuse = (description: string, title = 'Error uploading avatar') =>
    toast({ title, description, destructive: true })
  const unreadable = useCallback(() => {
    setChosen(null)
    toast({ title: 'Error uploading avatar', description: AVATAR_NOT_AN_IMAGE, destructive: true })
  }, [])
  const choose = (file: File | undefined) => {
    if (!file) return
    if (!file.type.startsWith('image/')) return refuse(AVATAR_NOT_AN_IMAGE)
    if (file.size > AVATAR_MAX_BYTES) return refuse(AVATAR_TOO_LARGE)
    setChosen(file)
  }
  const send = (file: File) =>
    whenDone(saving.mutateAsync(file), {
      onSuccess: () => {
        setChosen(null)
        toast({ title: 'Avatar uploaded' })
      },
      onError: (error) => refuse(messageOf(error)),
    })
  const remove = () =>
    whenDone(saving.mutateAsync(null), {
      onSuccess: () => toast({ title: 'Avatar removed' }),
      onError: (error) => refuse(messageOf(error), 'Error removing avatar'),
    })
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*"
        aria-label="Picture file"
        onChange={(event) => {
          choose(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <Button size="sm" disabled={saving.isPending} onClick={() => input.current?.click()}>
        {profile.avatar_url ? 'Replace picture' : 'Upload picture'}
      </Button>
      {profile.avatar_url ? (
        <Button size="sm" variant="danger" disabled={saving.isPending} onClick={remove}>
          Remove picture
        </Button>
      ) : null}
      {chosen ? (
        <Suspense>
          <CropDialog
            file={chosen}
            busy={saving.isPending}
            onCancel={() => setChosen(null)}
            onCropped={send}
            onUnreadable={unreadable}
          />
        </Suspense>
      ) : null}
    </div>
  )
}
