import { lineAt, proseOf } from './prose.ts'
import type { SourceFile } from './source-files.ts'

/** The delivered value of the setting PRODUCT_NAME. */
const NAME = /\bLectern\b/

/** Files whose texts may contain the name. */
const EXCEPTIONS = [
  // The default values of PRODUCT_NAME and COMPANY_NAME, and a message about a wrong setting.
  'server/lib/env.ts',
  // The user agent of requests if PRODUCT_NAME has no ASCII characters.
  'server/fetch/user-agent.ts',
  // Messages of a start that fails and of the embedded database. Only operators see them.
  'server/lib/listen-errors.ts',
  'server/db/requirements.ts',
  'server/db/sessions.ts',
  'server/db/embedded/index.ts',
  'server/db/embedded/lock.ts',
  // The specification gives the sentence (FMT-70).
  'shared/contract/reference-formats.ts',
]

/** Returns each string and JSX text that contains the product name as a literal, as `file:line`. */
export const productNames = (files: SourceFile[]): string[] =>
  files
    .filter(({ path, text }) => !EXCEPTIONS.includes(path) && NAME.test(text))
    .flatMap((file) =>
      proseOf(file).texts.flatMap(({ text, at }) => {
        const found = text.search(NAME)
        return found === -1 ? [] : [`${file.path}:${lineAt(file.text, at + found)}`]
      }),
    )

/** Returns the exceptions that are not needed, because the file does not exist or contains no such text. */
export const needlessExceptions = (files: SourceFile[]): string[] =>
  EXCEPTIONS.filter((exception) => !files.some(({ path, text }) => path === exception && NAME.test(text)))
