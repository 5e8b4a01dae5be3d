/** SQLSTATE of a statement for which the connected role has no right. */
export const INSUFFICIENT_PRIVILEGE = '42501'

/** SQLSTATEs of CREATE EXTENSION where the extension's files are not on the server, by the version of PostgreSQL. */
export const EXTENSION_UNAVAILABLE = ['0A000', '58P01']

/** Whether PostgreSQL refused a statement with one of the SQLSTATEs. */
export const isRefusal = (error: unknown, ...sqlStates: string[]): error is Error =>
  error instanceof Error && sqlStates.includes((error as { code?: string }).code ?? '')
