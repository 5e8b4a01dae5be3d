import { PROJECT_ROLES, ROLE_WORDS } from '#shared/contract/roles.ts'

/** The options of a select for roles, each with one line about the rights of the role. */
export const ROLE_OPTIONS = PROJECT_ROLES.map((value) => ({ value, ...ROLE_WORDS[value] }))
