import { Suspense, useState } from 'react'
import { profile as profileRow, type Profile, type ProfilePatch } from '#shared/contract/profiles.ts'
import type { Session } from '#web/auth/index.ts'
import { useUpdateProfile } from '#web/auth/index.ts'
import { CitationNotice } from '#web/citations/index.ts'
import { ApiKeys } from '#web/keys/index.ts'
import { Bookmarklet } from '#web/identifiers/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { applyAppearance } from '#web/lib/appearance.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { useSaveTogether } from '#web/lib/save-together.tsx'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/checkbox.tsx'
import { Choice, Choices } from '#web/ui/choice.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { Page, PageHead, SectionRow } from '#web/ui/page.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { SettingRow } from './setting-row.tsx'
import { type SettingsSearch, type Tab, TABS } from './settings-search.ts'

const ZoteroSettings = lazyPart(() => import('#web/zotero/index.ts').then((zotero) => zotero.ZoteroSettings))

const SIZES = { small: 'Small', medium: 'Medium', large: 'Large' } as const
type Size = keyof typeof SIZES
/** Version and build, for problem reports. */
function VersionLine() {
  const { version, commit } = useSite()
  return (
    <p className="text-muted-foreground text-meta mt-8">
      Version {version}
      {commit ? ` · commit ${commit.slice(0, 12)}` : null}
    </p>
  )
}

/** The licence of the software, and the notice of the library that formats citations. */
function About() {
  const { product_name, citations } = useSite()
  return (
    <div className="grid gap-3 py-5">
      <p>
        {product_name} is free software under the Apache License 2.0. The file NOTICE lists the packages that it
        contains.
      </p>
      {citations ? <CitationNotice /> : null}
    </div>
  )
}

/** The page of the user's settings. Each switch is saved at once and applies on all devices of the user. */
export function SettingsPage({
  session,
  tab = 'general',
  onTab,
}: {
  session: Session
  tab: SettingsSearch['tab']
  onTab: (search: SettingsSearch) => void
}) {
  const saved = session.profile
  useTitle('Settings')
  // State of this page, so that switching tabs does not lose typed text. Undefined shows the saved name.
  const [typed, setTyped] = useState<{ full_name: string; version: number }>()
  const together = useSaveTogether<{ full_name: string }>({ full_name: 'Full Name' })
  const saving = useUpdateProfile(saved.id)
  // Optimistic: a switch takes effect at once and is reverted when saving fails.
  const profile = { ...saved, ...(saving.isPending ? saving.variables : {}) }
  const report = (call: Promise<Profile | null>, onSuccess?: () => void, onError?: () => void) =>
    whenDone(call, {
      onSuccess: (result) => {
        if (!result) return
        onSuccess?.()
        toast({ title: 'Settings saved' })
      },
      onError: (error) => {
        onError?.()
        toast({ title: 'Error updating profile', description: messageOf(error), destructive: true })
      },
    })
  const save = (patch: ProfilePatch) => {
    const changesLook = patch.theme !== undefined || patch.font_size !== undefined
    if (changesLook) applyAppearance({ ...profile, ...patch })
    report(saving.mutateAsync(patch), undefined, () => changesLook && applyAppearance(saved))
  }
  const saveName = () => {
    const call = together.save({
      before: { full_name: saved.full_name ?? '' },
      mine: { full_name: (typed?.full_name ?? saved.full_name ?? '').trim() },
      version: typed?.version ?? saved.version,
      send: ({ mine, version }) => saving.mutateAsync({ full_name: mine.full_name || null, version }),
      read: (current) => {
        const theirs = profileRow.parse(current)
        return { values: { full_name: theirs.full_name ?? '' }, version: theirs.version }
      },
    })
    report(call, () => setTyped(undefined))
  }
  return (
    <Page>
      {together.dialog}
      <PageHead className="mt-3">
        <h1>Settings</h1>
      </PageHead>
      <Tabs
        label="Settings"
        value={tab}
        onChange={(next) => onTab({ tab: next === 'general' ? undefined : next })}
        tabs={Object.entries(TABS).map(([value, label]) => ({ value: value as Tab, label }))}
      >
        <TabPanel value="general">
          <form
            className="grid grid-cols-1 gap-4 max-w-md py-5"
            onSubmit={(event) => {
              event.preventDefault()
              saveName()
            }}
          >
            <Field label="Email" hint="The address you sign in with.">
              {(ids) => <Input {...ids} value={saved.email} readOnly />}
            </Field>
            <Field label="Full Name">
              {(ids) => (
                <Input
                  {...ids}
                  name="full_name"
                  autoComplete="name"
                  maxLength={200}
                  value={typed?.full_name ?? saved.full_name ?? ''}
                  onChange={({ target }) =>
                    setTyped({ full_name: target.value, version: typed?.version ?? saved.version })
                  }
                />
              )}
            </Field>
            <div>
              <Button type="submit" variant="primary" disabled={saving.isPending}>
                {saving.isPending ? 'Saving...' : 'Save Changes'}
              </Button>
            </div>
          </form>
          <Bookmarklet />
        </TabPanel>
        <TabPanel value="notifications">
          <SettingRow
            title="Email Notifications"
            about="Send me an email when a bulk run finishes and no page is open, if the server can send email."
          >
            {(ids) => (
              <Switch
                {...ids}
                checked={profile.email_notifications}
                onChange={(email_notifications) => save({ email_notifications })}
              />
            )}
          </SettingRow>
        </TabPanel>
        <TabPanel value="appearance">
          <SettingRow title="Dark Mode" about="Light text on a dark background.">
            {(ids) => (
              <Switch
                {...ids}
                checked={
                  profile.theme === 'dark' ||
                  (profile.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
                }
                onChange={(on) => save({ theme: on ? 'dark' : 'light' })}
              />
            )}
          </SettingRow>
          <SettingRow title="Follow the system" about="Light or dark, as set on your device.">
            {(ids) => (
              <Switch
                {...ids}
                checked={profile.theme === 'system'}
                onChange={(on) =>
                  save({
                    theme: on ? 'system' : document.documentElement.classList.contains('dark') ? 'dark' : 'light',
                  })
                }
              />
            )}
          </SettingRow>
          <SectionRow>
            <h2>Font Size</h2>
            <div className="max-w-md">
              <Choices
                label="Font Size"
                value={profile.font_size}
                onChange={(size) => save({ font_size: size as Size })}
              >
                {Object.entries(SIZES).map(([value, label]) => (
                  <Choice key={value} value={value} title={label} />
                ))}
              </Choices>
            </div>
          </SectionRow>
        </TabPanel>
        <TabPanel value="keys">
          <ApiKeys />
        </TabPanel>
        <TabPanel value="zotero">
          <Suspense fallback={<Skeleton height="6rem" />}>
            <ZoteroSettings />
          </Suspense>
        </TabPanel>
        <TabPanel value="about">
          <About />
        </TabPanel>
      </Tabs>
      <VersionLine />
    </Page>
  )
}
