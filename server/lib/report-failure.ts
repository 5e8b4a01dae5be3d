/** The `name` of each error class whose messages tell the operator what to do. */
const KNOWN = new Set(['SettingError', 'AppError', 'StartError'])

/**
 * Prints the error that ended a program to standard error. Prints only one line for an error that the operator can correct,
 * such as an invalid setting; prints any other error with its stack. Imports no module, because the import of the settings
 * fails if a setting is invalid.
 */
export function reportFailure(error: unknown): void {
  console.error(lineOf(error) ?? error)
}

/** Returns the line for an error of a setting, of the operating system or of the database. Returns null for any other error. */
function lineOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (KNOWN.has(error.name)) return error.message
  const { code, syscall, severity } = error as { code?: unknown; syscall?: unknown; severity?: unknown }
  // 'EACCES: permission denied, mkdir '/data/files''
  if (typeof syscall === 'string' && typeof code === 'string') return error.message
  if (typeof severity === 'string' && typeof code === 'string')
    return `The database refused a statement of this program: ${error.message} (SQLSTATE ${code}).`
  return error.cause === undefined ? null : lineOf(error.cause)
}
