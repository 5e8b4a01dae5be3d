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

/**
 * Runs a command of `npm run admin --` and prints its result: lines, or one JSON value with `--json`. Returns the exit
 * code: 0, 1 for a failure, 2 for wrong use.
 */
export async function runCommand(args: string[]): Promise<number> {
  const parsed = parse(args)
  if (!parsed) return usage()
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
    const [name = '', argument = '', ...more] = positionals
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name]! : undefined
    if (!command || more.length > 0 || options.help) return null
    if (command.argument === 'required' ? !argument : command.argument === 'none' && argument) return null
    return { command, argument, options }
  } catch {
    return null
  }
}

function usage(): number {
  const lines = Object.entries(COMMANDS).map(([name, command]) => `  ${`${name} ${command.usage}`.trim()}`)
  console.error(['Usage: npm run admin -- <command> [--json]', ...lines].join('\n'))
  return WRONG_USE
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
