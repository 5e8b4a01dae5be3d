import { isTest, type SourceFile } from './source-files.ts'

/**
 * One law about the text of files. `why`: the rule, as it is reported. `binds`: whether it applies to a path. `forbids`: the
 * forbidden text.
 */
interface ContentLaw {
  why: string
  binds: (path: string) => boolean
  forbids: RegExp
}

const always = () => true

/** Returns true for files that may contain SQL: queries of rooms, the database folder, and the services for jobs and events. */
const isSqlPlace = (path: string) => /\/([a-z-]+-)?queries\.ts$|^server\/db\/|^server\/(queue|events)\//.test(path)

const LAWS: ContentLaw[] = [
  {
    why: 'a check is not suppressed: fix the code',
    binds: always,
    forbids: /@ts-(ignore|nocheck|expect-error)|(ox|es)lint-(disable|enable)/,
  },
  { why: 'a value is not cast to any', binds: always, forbids: /\bas\s+any\b|<any>/ },
  { why: 'the code has no TODO comments', binds: always, forbids: /\b(TODO|FIXME|XXX)\b/ },
  {
    why: 'SQL is in queries.ts only',
    binds: (path) => path.startsWith('server/') && !isTest(path) && !isSqlPlace(path),
    forbids: /\bsql(<[^>]*>)?`|\b(pool|client|tx|db)\s*\.\s*(query|execute|select|insert|update|delete)\s*\(/,
  },
  {
    why: 'only shared/contract/paths.ts builds addresses of the server',
    binds: (path) => path.startsWith('web/') && !isTest(path),
    forbids: /(['"`])\/(api|auth\/v1|functions\/v1)\//,
  },
  {
    why: 'use whenDone for actions after a mutation: callbacks of mutate are lost when the component has unmounted',
    binds: (path) => path.startsWith('web/'),
    forbids: /\.mutate\((?:[^()]|\([^()]*\))*,\s*\{\s*on(?:Success|Error|Settled)\b/,
  },
  {
    why: 'tests need nothing outside the checkout; only benchmarks read samples beside it',
    binds: (path) => !path.startsWith('tests/bench/'),
    forbids: /\.\.\/shared\/(data|spec|design|findings)\//,
  },
  {
    why: 'only server/workers starts worker threads, beside the embedded database',
    binds: (path) => path.startsWith('server/') && !isTest(path) && !/^server\/(workers|db\/embedded)\//.test(path),
    forbids: /\bnew Worker\(|^import (?!type)(?:[^;'"]*\W)?Worker\b[^;'"]* from ['"]node:worker_threads['"]/m,
  },
  {
    why: 'only server/fetch sends HTTP requests: boundedFetch and guardedFetch limit time and size; two files use a client of a library',
    binds: (path) =>
      path.startsWith('server/') && !isTest(path) && !/^server\/(fetch\/|storage\/bucket|lib\/trace-sender)/.test(path),
    forbids: /(?<![\w.]|function )fetch\(|from ['"](?:undici|@aws-sdk\/client-s3|@opentelemetry\/exporter-[\w-]+)['"]/,
  },
  {
    why: 'only server/ai calls models: no other file reads the address and the key of the provider',
    binds: (path) => path.startsWith('server/') && !isTest(path) && !/^server\/(ai\/|lib\/env\.ts$)/.test(path),
    forbids: /\bAI_(?:BASE_URL|API_KEY)\b/,
  },
  {
    why: 'only server/fetch/retry-after.ts reads Retry-After',
    binds: (path) => path.startsWith('server/') && !isTest(path) && path !== 'server/fetch/retry-after.ts',
    forbids: /\.(?:get|has)\(\s*['"`]retry-after/i,
  },
  {
    why: 'the server collects no garbage by force and sets no flags of V8',
    binds: (path) => /^(server|bin)\//.test(path) && !isTest(path),
    forbids: /\bsetFlagsFromString\b|--expose-gc|\bglobal(?:This)?\.gc\b/,
  },
  {
    why: 'only shared/passages/sentences.ts splits a text into sentences',
    binds: (path) => !isTest(path) && path !== 'shared/passages/sentences.ts',
    forbids: /\bIntl\.Segmenter\b[^\n]*sentence|\.split\(\/\(\?<=\[[^\]\n]*[.!?]/,
  },
  {
    why: 'only the server and the embedded database open connections',
    binds: (path) => path.startsWith('server/') && !isTest(path) && !isSqlPlace(path),
    forbids: /^import (?!type).* from ['"]pg['"]/m,
  },
]

/** Returns every law that a file breaks, as `file:line: law`. A law is reported once per file. */
export function brokenContents(files: SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    LAWS.filter((law) => law.binds(path)).flatMap((law) => {
      const at = text.search(law.forbids)
      return at === -1 ? [] : [`${path}:${text.slice(0, at).split('\n').length}: ${law.why}`]
    }),
  )
}

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|d|worker|config))?\.(ts|tsx|mjs)$/
const CATCH_ALL = /^(utils?|helpers?|types|misc|common)\.tsx?$/

/**
 * Returns the paths whose file name is not kebab-case or not descriptive (such as `utils.ts`). Files in web/routes need not be
 * kebab-case, because the router prescribes their names.
 */
export function brokenNames(paths: string[]): string[] {
  return paths.filter((path) => {
    const name = path.split('/').at(-1) ?? ''
    return CATCH_ALL.test(name) || (!path.startsWith('web/routes/') && !KEBAB.test(name))
  })
}
