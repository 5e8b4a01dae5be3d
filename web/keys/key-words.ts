import type { ApiKey } from '#shared/contract/api-keys.ts'
import { shortDate } from '#web/lib/dates.ts'

/** The projects of a key in words. */
export const projectsOf = ({ projects }: Pick<ApiKey, 'projects'>): string =>
  projects === null ? 'All mine' : projects.map(({ name }) => name).join(', ') || 'None'

/** The day on which a key ends, or 'Never'. */
export const endOf = ({ expires_at }: Pick<ApiKey, 'expires_at'>): string =>
  expires_at === null ? 'Never' : shortDate(expires_at)
