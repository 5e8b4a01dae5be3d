import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { profile as profileRow, type Profile } from '#shared/contract/profiles.ts'
import { useUpdateProfile } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { changedValues, useSaveTogether } from '#web/lib/save-together.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { DISCARD_EDITS, KEEP_EDITS, useSeenVersion } from '#web/lib/use-seen-version.ts'
import { useUnsavedWarning } from '#web/lib/use-unsaved-warning.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import { HeadActions, PageHead, SectionRow } from '#web/ui/page.tsx'

const fields = z.object({
  full_name: z.string().trim().max(200, 'At most 200 characters'),
  display_name: z.string().trim().max(200, 'At most 200 characters'),
  bio: z.string().trim().max(5000, 'At most 5,000 characters'),
})
type Values = z.output<typeof fields>
const LABELS: Readonly<Record<keyof Values, string>> = {
  full_name: 'Full name',
  display_name: 'Display name',
  bio: 'Bio',
}
const valuesOf = (profile: Profile): Values => ({
  full_name: profile.full_name ?? '',
  display_name: profile.display_name ?? '',
  bio: profile.bio ?? '',
})

/**
 * The heading of the page 'Your Profile' with the Save button, and the fields that this button saves: names and bio. `children`
 * are shown between the heading and the fields.
 */
export function AboutForm({ profile, children }: { profile: Profile; children: ReactNode }) {
  const saving = useUpdateProfile(profile.id)
  const form = useForm({
    resolver: zodResolver(fields),
    // A profile that arrives later or changes elsewhere fills all fields without edits.
    values: valuesOf(profile),
    resetOptions: KEEP_EDITS,
  })
  const { errors, isDirty } = form.formState
  useUnsavedWarning(isDirty)
  const seen = useSeenVersion(profile.version, isDirty)
  const together = useSaveTogether<Values>(LABELS)
  const submit = form.handleSubmit((input) =>
    whenDone(
      together.save({
        before: valuesOf(profile),
        mine: input,
        version: seen.current,
        send: ({ before, mine, version }) => saving.mutateAsync({ ...changedValues(before, mine), version }),
        read: (current) => {
          const theirs = profileRow.parse(current)
          return { values: valuesOf(theirs), version: theirs.version }
        },
      }),
      {
        onSuccess: (saved) => {
          if (!saved) return
          form.reset(valuesOf(saved), DISCARD_EDITS)
          toast({ title: 'Profile updated' })
        },
        onError: (error) =>
          toast({ title: 'Error updating profile', description: messageOf(error), destructive: true }),
      },
    ),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {together.dialog}
      <PageHead className="mt-3">
        <h1>Your Profile</h1>
        <HeadActions>
          <Button type="submit" variant="primary" disabled={saving.isPending}>
            {saving.isPending ? 'Saving...' : 'Save Changes'}
          </Button>
        </HeadActions>
      </PageHead>
      <div className="border-t-[1.5px] border-rule">
        {children}
        <SectionRow>
          <h2>About you</h2>
          <div className="grid grid-cols-1 gap-4 max-w-md">
            <Field label="Full name" error={errors.full_name?.message}>
              {(ids) => <Input {...ids} autoComplete="name" {...form.register('full_name')} />}
            </Field>
            <Field label="Display name" error={errors.display_name?.message}>
              {(ids) => <Input {...ids} autoComplete="nickname" {...form.register('display_name')} />}
            </Field>
            <Field label="Bio" error={errors.bio?.message}>
              {(ids) => <Textarea {...ids} rows={4} {...form.register('bio')} />}
            </Field>
          </div>
        </SectionRow>
      </div>
    </form>
  )
}
