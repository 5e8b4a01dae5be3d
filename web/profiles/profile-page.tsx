import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { api } from '#shared/paths.ts'
import type { Session } from '#web/auth/index.ts'
import { SecondFactor, useUpdateProfile } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { shortDate } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import { Badge, initials } from '#web/ui/marks.tsx'
import { AvatarField } from './avatar-field.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { OpenSessions } from './open-sessions.tsx'
import { PasswordForm } from './password-form.tsx'

const fields = z.object({
  full_name: z.string().trim().max(200, 'At most 200 characters'),
  display_name: z.string().trim().max(200, 'At most 200 characters'),
  bio: z.string().trim().max(5000, 'At most 5,000 characters'),
})

/** 'Your Profile': who the user is to the product. */
export function ProfilePage({ session }: { session: Session }) {
  const { profile, user } = session
  useTitle('Your Profile')
  const saving = useUpdateProfile(profile.id)
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: {
      full_name: profile.full_name ?? '',
      display_name: profile.display_name ?? '',
      bio: profile.bio ?? '',
    },
  })
  const { errors } = form.formState
  const submit = form.handleSubmit((input) =>
    saving.mutate(
      { full_name: input.full_name || null, display_name: input.display_name || null, bio: input.bio || null },
      {
        onSuccess: () => toast({ title: 'Profile updated' }),
        onError: (error) =>
          toast({ title: 'Error updating profile', description: messageOf(error), destructive: true }),
      },
    ),
  )
  return (
    <main className="page">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <div className="head mt-3">
          <h1>Your Profile</h1>
          <div className="end">
            <Button type="submit" variant="primary" disabled={saving.isPending}>
              {saving.isPending ? 'Saving...' : 'Save Changes'}
            </Button>
          </div>
        </div>
        <div className="border-t-[1.5px] border-rule">
          <section className="section-row">
            <h2>Account</h2>
            <div className="flex items-center gap-3">
              <span className="avatar" aria-hidden>
                {profile.avatar_url ? <img src={profile.avatar_url} alt="" /> : initials(user.email)}
              </span>
              <div>
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {user.email}
                  {profile.is_admin ? <Badge>Admin</Badge> : null}
                </p>
                <p className="quiet text-meta num">Since {shortDate(profile.created_at)}</p>
                <AvatarField profile={profile} />
              </div>
            </div>
          </section>
          <section className="section-row">
            <h2>About you</h2>
            <div className="form max-w-md">
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
          </section>
        </div>
      </form>
      <div className="border-t border-border">
        <section className="section-row">
          <h2>Password</h2>
          <PasswordForm />
        </section>
        <section className="section-row">
          <h2>Second factor</h2>
          <SecondFactor />
        </section>
        <section className="section-row">
          <h2>Signed in</h2>
          <OpenSessions />
        </section>
        <section className="section-row">
          <h2>Your data</h2>
          <div className="max-w-md">
            <p className="quiet mb-3">
              One archive with your projects, documents, texts, PDFs and usage, to keep or to take elsewhere.
            </p>
            <Button asChild>
              <a href={api.accountExport()} download>
                Export all data
              </a>
            </Button>
          </div>
        </section>
        <section className="section-row">
          <h2>Leave</h2>
          <div className="max-w-md">
            <p className="quiet mb-3">Your account, all projects and all documents are deleted for good.</p>
            <DeleteAccount email={user.email} />
          </div>
        </section>
      </div>
    </main>
  )
}
