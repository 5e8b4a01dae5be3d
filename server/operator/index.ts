import { parseArgs } from 'node:util'
import { database, openDatabase } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { AppError } from '#server/lib/errors.ts'
import { ACCOUNT_COMMANDS } from './accounts.ts'
import { checkCommand } from './check.ts'
import { type Command, OPTIONS } from './command.ts'
import { requeueCommand } from './requeue.ts'

const COMMANDS: Record<string, Command> = { ...ACCOUNT_COMMANDS, requeue: requeueCommand, check: checkCommand }

const WRONG_USE = 2

/** The usage text. It is printed for `--help` and after wrong arguments. */
const USAGE = [
  'Usage: npm run admin -- <command> [--json]',
  ...Object.entries(COMMANDS).map(([name, command]) => `  ${`${name} ${command.usage}`.trim()}`),
].join('\n')

/**
 * Runs a command of `npm run admin --` and prints its result: lines, or one JSON value with `--json`. Returns the exit
 * code: 0, 1 for a failure, 2 for wrong use. `--help` prints the usage text.
 */
export async function runCommand(args: string[]): Promise<number> {
  const parsed = parse(args)
  if (parsed === 'help') {
    console.log(USAGE)
    return 0
  }
  if (!parsed) {
    console.error(USAGE)
    return WRONG_USE
  }
  const { command, argument, options } = parsed
  const print = (lines: string[], data: object) =>
    console.log(options.json ? JSON.stringify(data, null, 2) : lines.join('\n'))
  try {
    await openDatabaseFor(command)
    const { lines, data, failed } = await command.run(argument, options)
    print(lines, data)
    return failed ? 1 : 0
  } catch (error) {
    if (!options.json || !(error instanceof AppError)) throw error
    print([], { error: { code: error.code, message: error.message } })
    return 1
  } finally {
    await closeDatabase()
  }
}

function parse(args: string[]) {
  try {
    const { values: options, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
    if (options.help) return 'help'
    const [name = '', argument = '', ...more] = positionals
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name]! : undefined
    if (!command || more.length > 0) return null
    if (command.argument === 'required' ? !argument : command.argument === 'none' && argument) return null
    return { command, argument, options }
  } catch {
    return null
  }
}

async function openDatabaseFor(command: Command): Promise<void> {
  if (command.isOffline) return
  await openDatabase()
  await migrateDatabase()
}

async function closeDatabase(): Promise<void> {
  try {
    await database().close()
  } catch {
    // It is not open after a failed check.
  }
}
