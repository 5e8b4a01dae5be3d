/** The options of all operator commands, in the form of `parseArgs`. */
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

/** The result of a command: `lines` is printed, or `data` as JSON with the option --json. */
export interface Result {
  lines: string[]
  data: object
  /** True if a check failed; the program then exits with 1. */
  failed?: boolean
}

/** A command of `npm run admin --`, for the operator of the server. */
export interface Command {
  /** The argument and options of the command, as the usage text shows them. */
  usage: string
  /** Whether the command needs an argument, such as an e-mail address. */
  argument: 'required' | 'optional' | 'none'
  /** True if the command does not need an open and migrated database. */
  isOffline?: boolean
  run: (argument: string, options: Options) => Promise<Result>
}
