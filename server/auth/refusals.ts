import { z } from 'zod'
import { AppError } from '#server/lib/errors.ts'
import { newEmail, newPassword } from '#shared/contract/accounts.ts'

const EMAIL_MISSING = 'Enter your e-mail address'
/** Error message for a sign-up with an address that already has an account. */
export const EMAIL_TAKEN = 'There is an account with this e-mail address already.'

/** The input of a sign-in. Its error messages are for users; the messages of the auth library are for programmers. */
export const credentials = z.object({
  email: z.string(EMAIL_MISSING).trim().min(1, EMAIL_MISSING),
  password: z.string('Enter your password').min(1, 'Enter your password'),
})
/** The schema of the input of a sign-up. */
export const newCredentials = z.object({ email: newEmail, password: newPassword })

/** Throws 'refused' with one message per field unless `schema` accepts the input. */
export function refuseWrong(schema: z.ZodType, given: unknown): void {
  const { error } = schema.safeParse(given)
  if (!error) return
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.join('.')] ??= issue.message
  throw new AppError('refused', error.issues[0]!.message, { fields })
}

const NOT_TOLD = 'The request was refused.'
const refused = z
  .object({ code: z.string().optional().catch(undefined), message: z.string().catch(NOT_TOLD) })
  .catch({ message: NOT_TOLD })

/**
 * Converts an error response of the auth library to Lectern's error body. The body also contains the library's `code` and
 * `message`, for programs that read them.
 */
export async function asRefusal(response: Response): Promise<Response> {
  if (response.status < 400) return response
  const parsed = refused.parse(await response.json().catch(() => null))
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.set('content-type', 'application/json')
  const code = parsed.code?.toLowerCase() ?? 'failed'
  const body = { ...parsed, error: { code, message: parsed.message } }
  return new Response(JSON.stringify(body), { status: response.status, headers })
}

/** Returns whether an error response of `asRefusal` says that the password of the account was compared and is wrong. */
export async function isWrongPassword(response: Response): Promise<boolean> {
  const { code } = refused.parse(await response.clone().json())
  return code === 'INVALID_PASSWORD'
}
