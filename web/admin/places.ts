import { ChartColumn, Layers, Library, Plug, Quote, ScrollText, Server, TextQuote } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { pages } from '#shared/contract/paths.ts'

/** Pages of the administration in the order of the side navigation. */
export const PLACES: readonly { label: string; to: string; icon: LucideIcon }[] = [
  { label: 'Dashboard', to: pages.admin(), icon: Layers },
  { label: 'Usage', to: pages.adminUsage(), icon: ChartColumn },
  { label: 'Journals', to: pages.adminJournals(), icon: Library },
  { label: 'Integrations', to: pages.adminIntegrations(), icon: Plug },
  { label: 'Prompts', to: pages.adminPrompts(), icon: TextQuote },
  { label: 'Citation styles', to: pages.adminCitationStyles(), icon: Quote },
  { label: 'Audit log', to: pages.adminAudit(), icon: ScrollText },
  { label: 'System', to: pages.adminSystem(), icon: Server },
]

/**
 * Returns the navigation entry that contains a path, or undefined. For example, the path of a single journal is in 'Journals'.
 */
export const placeOf = (path: string) =>
  PLACES.find(({ to }) => to === path || (to !== pages.admin() && path.startsWith(`${to}/`)))
