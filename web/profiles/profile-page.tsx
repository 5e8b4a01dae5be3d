import { api } from '#shared/contract/paths.ts'
import type { Session } from '#web/auth/index.ts'
import { ProofHost, SecondFactor } from '#web/auth/index.ts'
import { shortDate } from '#web/lib/dates.ts'
import { useSite } from '#web/lib/site.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Avatar, Badge } from '#web/ui/marks.tsx'
import { Page, SectionRow } from '#web/ui/page.tsx'
import { AboutForm } from './about-form.tsx'
import { AvatarField } from './avatar-field.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { OpenSessions } from './open-sessions.tsx'
import { Password } from './password-form.tsx'
import { refreshSessions } from './queries.ts'

/** The page 'Your Profile' with the personal data of the user. */
export function ProfilePage({ session }: { session: Session }) {
  const { profile, user } = session
  const { password_sign_in } = useSite()
  useTitle('Your Profile')
  return (
    <Page>
      <AboutForm profile={profile}>
        <SectionRow>
          <h2>Account</h2>
          <div className="flex items-start gap-4">
            <Avatar className="size-16 text-xl" email={user.email} picture={profile.avatar_url} />
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                {user.email}
                {profile.is_admin ? <Badge>Admin</Badge> : null}
              </p>
              <p className="text-muted-foreground text-meta tabular-nums lining-nums">
                Since {shortDate(profile.created_at)}
              </p>
              <AvatarField profile={profile} />
            </div>
          </div>
        </SectionRow>
      </AboutForm>
      <div className="border-t border-border">
        {password_sign_in ? (
          <SectionRow>
            <h2>Password</h2>
            <Password email={user.email} />
          </SectionRow>
        ) : null}
        <SectionRow>
          <h2>Second factor</h2>
          <SecondFactor onTurnedOn={() => void refreshSessions()} />
        </SectionRow>
        <SectionRow>
          <h2>Signed in</h2>
          <OpenSessions />
        </SectionRow>
        <SectionRow>
          <h2>Your data</h2>
          <div className="max-w-md">
            <p className="text-muted-foreground mb-3">
              One archive with your projects, documents, texts, PDFs and usage.
            </p>
            <Button asChild>
              <a href={api.accountExport()} download>
                Export all data
              </a>
            </Button>
          </div>
        </SectionRow>
        <SectionRow>
          <h2>Leave</h2>
          <div className="max-w-md">
            <p className="text-muted-foreground mb-3">
              Your account, all projects and all documents are deleted permanently.
            </p>
            <DeleteAccount email={user.email} />
          </div>
        </SectionRow>
      </div>
      <ProofHost />
    </Page>
  )
}
