import { makeZip } from 'client-zip'
import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { streamWithAccess } from '#server/events/watch-access.ts'
import { listMatchingIds } from '#server/documents/index.ts'
import { streamText } from '#server/http/stream-body.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { safeName, uniquePaths } from '#server/lib/file-names.ts'
import { log } from '#server/lib/log.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import { type ArchiveFile, openArchiveFile } from '#server/storage/archive-file.ts'
import { EXPORT_MAX, exportFilter, type ExportFormat, type ExportInput } from '#shared/contract/exports.ts'
import { WRITE_FORMATS, type WriteFormat } from '#shared/contract/reference-formats.ts'
import { formatPart } from './format-part.ts'
import { findExportedPapers, findFittingIds, leavesOut } from './queries.ts'

/** Number of papers that one transaction reads and that one task of the worker writes. */
const AT_ONCE = 250

/**
 * A file that is written while it is sent. `count` is the number of its papers, and `leftOut` the number of papers that the
 * format cannot contain.
 */
export interface ExportedFile {
  name: string
  type: string
  count: number
  leftOut: number
  stream: ReadableStream<Uint8Array>
}

const TYPES: Record<ExportFormat, string> = {
  bibtex: 'application/x-bibtex; charset=utf-8',
  biblatex: 'application/x-bibtex; charset=utf-8',
  ris: 'application/x-research-info-systems; charset=utf-8',
  'csl-json': 'application/vnd.citationstyles.csl+json; charset=utf-8',
  'endnote-xml': 'application/xml; charset=utf-8',
  nbib: 'application/nbib; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  pdfs: 'application/zip',
}

const NOTHING: Partial<Record<ExportFormat, string>> = {
  nbib: 'None of these papers has a PMID.',
  pdfs: 'None of these papers has a PDF.',
}

/**
 * Starts an export of papers. The file is written in parts while the client reads it. The stream ends early if the caller is
 * removed from the project. Throws 'not_found' for a project or paper that the caller may not read, and 'refused' if no paper
 * can be exported or there are more than 100,000.
 */
export async function exportReferences(actor: Actor, input: ExportInput): Promise<ExportedFile> {
  const { project_id: projectId, format, options } = input
  const { project, ids, found } = await asActor(
    actor,
    async (tx) => {
      const name = await projectName(tx, projectId)
      const wanted = await wantedIds(tx, input)
      // The list has returned papers of the project, so the first byte of 50,000 papers does not wait for a second check.
      const isKnown = !input.ids && !leavesOut(format)
      const fitting = isKnown
        ? { ids: wanted, found: wanted.length }
        : await findFittingIds(tx, projectId, wanted, format)
      if (input.ids && fitting.found < wanted.length) throw notFound('Document')
      return { project: name, ...fitting }
    },
    projectId ?? undefined,
  )
  if (ids.length === 0)
    throw new AppError('refused', found > 0 && NOTHING[format] ? NOTHING[format] : 'There are no papers to export.')
  const source = { actor, projectId, ids }
  const day = new Date().toISOString().slice(0, 10)
  const extension = format === 'pdfs' ? 'zip' : WRITE_FORMATS[format]
  return {
    name: `${safeName(project, 'papers')}-${day}.${extension}`,
    type: TYPES[format],
    count: ids.length,
    leftOut: found - ids.length,
    stream: streamWithAccess(
      actor,
      (tx) => projectName(tx, projectId),
      format === 'pdfs'
        ? makeZip(entries(source, `${safeName(project, 'papers')}-${day}.bib`, options.latex))
        : streamText(textParts(source, format, options.latex)),
    ),
  }
}

async function projectName(tx: Tx, projectId: string | null): Promise<string> {
  return projectId === null ? 'papers' : (await projectOrThrow(tx, projectId, 'read')).name
}

/**
 * Returns the ids of the papers to export: the ids in the input without duplicates, or the papers that match its filter, in the
 * order of the list.
 */
async function wantedIds(tx: Tx, { project_id, ids, filter }: ExportInput): Promise<string[]> {
  if (ids) return [...new Set(ids)]
  const found = await listMatchingIds(
    tx,
    { ...(filter ?? exportFilter.parse({})), project_id: project_id ?? 'none' },
    EXPORT_MAX + 1,
  )
  if (found.length > EXPORT_MAX)
    throw new AppError('refused', 'The export has more than 100,000 papers. Filter the list and export it in parts.')
  return found
}

interface Source {
  actor: Actor
  projectId: string | null
  ids: readonly string[]
}

/**
 * Yields lists of up to `atOnce` papers in the order of `ids`. Omits papers that have been deleted. Throws 'not_found' if the
 * caller is removed from the project.
 */
async function* papersOf({ actor, projectId, ids }: Source, atOnce: number) {
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce)
    const rows = await asActor(actor, async (tx) => {
      await projectName(tx, projectId)
      return findExportedPapers(tx, projectId, some)
    })
    const byId = new Map(rows.map((row) => [row.id, row]))
    yield some.flatMap((id) => byId.get(id) ?? [])
  }
}

/** Yields the text of an export file in parts. `fileOf` returns the file name of a paper's PDF if an archive contains it. */
async function* textParts(
  source: Source,
  format: WriteFormat,
  asLatex: boolean,
  fileOf: (id: string) => string | undefined = () => undefined,
): AsyncGenerator<string> {
  const { userId } = source.actor
  let before = 0
  for await (const rows of papersOf(source, AT_ONCE)) {
    const papers = rows.map((paper) => {
      const file = fileOf(paper.id)
      return file === undefined ? paper : { ...paper, file }
    })
    const options = { asLatex, isFirst: before === 0, isLast: false, before }
    if (papers.length > 0) yield await formatPart({ papers, format, options }, userId)
    before += papers.length
  }
  const end = await formatPart({ papers: [], format, options: { isFirst: before === 0, isLast: true, before } }, userId)
  if (end) yield end
}

/**
 * Yields the entries of a zip archive: the PDFs as streams, then a BibTeX file that refers to them, then a list of the PDFs
 * that could not be read, if there are any.
 */
async function* entries(source: Source, bibliography: string, asLatex: boolean) {
  const next = uniquePaths()
  const written = new Map<string, string>()
  const missing: string[] = []
  // One paper at a time: the membership is checked before each file.
  for await (const rows of papersOf(source, 1))
    for (const { id, filename, source_url: key } of rows) {
      if (!key) continue
      // Programs separate the files of an entry by semicolons.
      const name = safeName(filename.replace(/\.pdf$/i, ''), 'paper').replaceAll(/[;{}]/g, '_')
      const opened = await openFile(key)
      if (opened) {
        const path = next('files', name, '.pdf')
        written.set(id, path)
        try {
          yield { name: path, input: opened.input, size: opened.size }
        } finally {
          await opened.close()
        }
      } else missing.push(filename)
    }
  yield { name: bibliography, input: textParts(source, 'bibtex', asLatex, (id) => written.get(id)) }
  if (missing.length > 0)
    yield { name: 'missing-files.txt', input: `These PDFs could not be read:\n${missing.join('\n')}\n` }
}

async function openFile(key: string): Promise<ArchiveFile | null> {
  try {
    return await openArchiveFile(key)
  } catch (error) {
    log.warn({ err: error }, 'a file could not be read for an export')
    return null
  }
}
