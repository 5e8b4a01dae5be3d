import { PROJECT_ROLES, ROLE_WORDS } from '#shared/contract/roles.ts'

/** The roles for a select, each with one line about its rights. */
export const ROLE_OPTIONS = PROJECT_ROLES.map((value) => ({ value, ...ROLE_WORDS[value] }))
