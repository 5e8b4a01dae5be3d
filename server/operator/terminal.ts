import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { AppError } from '#server/lib/errors.ts'
import { newPassword } from '#shared/contract/accounts.ts'

/**
 * Reads a new password. On a terminal, asks for it twice without showing it; otherwise reads one line of standard input. Throws
 * 'refused' for a password that breaks the rules, or if the second input differs.
 */
export async function readNewPassword(): Promise<string> {
  const lines = lineReader()
  try {
    const password = await lines.next('New password: ')
    const checked = newPassword.safeParse(password)
    if (!checked.success) throw new AppError('refused', checked.error.issues[0]!.message)
    if (process.stdin.isTTY && (await lines.next('The same password again: ')) !== password)
      throw new AppError('refused', 'The two passwords differ.')
    return password
  } finally {
    lines.close()
  }
}

/** Returns a reader for lines of standard input. On a terminal, it prints the question and does not show the answer. */
function lineReader() {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY })
  const lines = reader[Symbol.asyncIterator]()
  return {
    next: async (question: string): Promise<string> => {
      if (process.stdin.isTTY) process.stderr.write(question)
      const { value, done } = await lines.next()
      if (process.stdin.isTTY) process.stderr.write('\n')
      return done ? '' : value
    },
    close: () => reader.close(),
  }
}
