/** The options of the commands, as `parseArgs` reads them. */
export const OPTIONS = {
  admin: { type: 'boolean' },
  help: { type: 'boolean' },
  json: { type: 'boolean' },
  kind: { type: 'string' },
  name: { type: 'string' },
  password: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const

export interface Options {
  admin?: boolean
  kind?: string
  name?: string
  password?: boolean
  yes?: boolean
}

/** The result of a command: lines for people, and data for `--json`. */
export interface Result {
  lines: string[]
  data: object
  /** True if a check failed; the program then exits with 1. */
  failed?: boolean
}

/** A command of the operator. */
export interface Command {
  /** Its argument and options, for the usage text. */
  usage: string
  /** The argument: required, optional or none. */
  argument: 'required' | 'optional' | 'none'
  /** The command runs without an open and migrated database. */
  isOffline?: boolean
  run: (argument: string, options: Options) => Promise<Result>
}
