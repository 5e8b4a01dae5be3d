import type { ApiKey } from '#shared/contract/api-keys.ts'
import { shortDate } from '#web/lib/dates.ts'

/** Returns in words which projects a key can access: 'All mine', their names, or 'None'. */
export const projectsOf = ({ projects }: Pick<ApiKey, 'projects'>): string =>
  projects === null ? 'All mine' : projects.map(({ name }) => name).join(', ') || 'None'

/** Returns the day on which a key expires, or 'Never'. */
export const endOf = ({ expires_at }: Pick<ApiKey, 'expires_at'>): string =>
  expires_at === null ? 'Never' : shortDate(expires_at)
