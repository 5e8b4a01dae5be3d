import { Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { pages, PROJECT_PAGES } from '#shared/contract/paths.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useUpdateProfile } from '#web/auth/index.ts'
import type { Session } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useLogOut } from './use-log-out.ts'

/** A page that the command palette can open. `to` is its path. */
export interface Place {
  name: string
  to: string
}

/** A command of the command palette. `also` contains more words by which the command is found. */
export interface Command {
  name: string
  also: string
  icon: LucideIcon
  run: () => void
}

const THEMES: [Profile['theme'], string, LucideIcon][] = [
  ['light', 'Light mode', Sun],
  ['dark', 'Dark mode', Moon],
  ['system', 'Follow the system', Monitor],
]

/** Returns the pages that the command palette can open. The pages of the current project are first. */
export function placesOf(session: Session, current: Project | null | undefined): Place[] {
  return [
    ...(current
      ? [
          ...PROJECT_PAGES.map(([name, place]) => ({ name, to: pages[place](current.address) })),
          { name: 'Duplicates', to: pages.duplicates(current.address) },
          { name: 'Runs', to: pages.runs(current.address) },
          { name: 'People', to: pages.people(current.address) },
        ]
      : []),
    { name: 'All projects', to: pages.projects() },
    { name: 'Recently deleted', to: pages.deleted() },
    { name: 'Profile', to: pages.profile() },
    { name: 'Settings', to: pages.settings() },
    ...(session.profile.is_admin ? [{ name: 'Admin', to: pages.admin() }] : []),
    { name: 'Terms & Conditions', to: pages.terms() },
    { name: 'Privacy Policy', to: pages.privacy() },
    { name: 'Cookie Notice', to: pages.cookies() },
  ]
}

/**
 * Returns the commands of the command palette. `showKeys` opens the list of keyboard shortcuts. A change of the theme is stored
 * in the profile.
 */
export function useCommands(session: Session, showKeys: () => void): Command[] {
  const saving = useUpdateProfile(session.profile.id)
  const logOut = useLogOut()
  const setTheme = (theme: Profile['theme']) =>
    // mutateAsync, because the palette has unmounted by then and callbacks of `mutate` would not run.
    void saving.mutateAsync({ theme }).then(
      () => toast({ title: 'Settings saved' }),
      (error: unknown) => toast({ title: 'Error updating profile', description: messageOf(error), destructive: true }),
    )
  return [
    ...THEMES.filter(([theme]) => theme !== session.profile.theme).map(([theme, name, icon]) => ({
      name,
      also: 'theme appearance colours',
      icon,
      run: () => setTheme(theme),
    })),
    { name: 'Keyboard shortcuts', also: 'keys help', icon: Keyboard, run: showKeys },
    { name: 'Log out', also: 'sign out', icon: LogOut, run: logOut },
  ]
}
