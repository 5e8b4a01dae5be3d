/** SQLSTATE of a missing privilege. */
export const INSUFFICIENT_PRIVILEGE = '42501'

/** SQLSTATEs of CREATE EXTENSION when the extension's files are missing. They differ between versions of PostgreSQL. */
export const EXTENSION_UNAVAILABLE = ['0A000', '58P01']

/** SQLSTATE of a value beyond a limit of the server, such as the size of a text search vector. */
export const PROGRAM_LIMIT_EXCEEDED = '54000'

/** Returns whether PostgreSQL refused a statement with one of the SQLSTATEs. */
export const isRefusal = (error: unknown, ...sqlStates: string[]): error is Error =>
  error instanceof Error && sqlStates.includes((error as { code?: string }).code ?? '')
