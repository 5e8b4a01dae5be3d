import { useRef, useState } from 'react'
import { NOT_A_PDF } from '#shared/contract/document-files.ts'
import type { SameFile } from '#shared/contract/document-list.ts'
import type { Project } from '#shared/contract/projects.ts'
import { onSessionEnd } from '#web/lib/signed-out.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { timeOfDay } from '#web/lib/dates.ts'
import { guardPage } from '#web/lib/page-guard.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { listFailures, uploadNotice } from '#web/lib/upload-summary.ts'
import type { UploadCounts } from '#web/lib/upload-summary.ts'
import { batchFor, newId, showBatch } from './batch.ts'
import { uploadDocument } from './queries.ts'
import { digestOf, findSameFile } from './same-file.ts'

export interface QueuedFile {
  key: number
  /** The id of the document that the upload creates. A repeated upload has the same id. */
  documentId: string
  file: File
  state: 'waiting' | 'sending' | 'done' | 'refused' | 'failed'
  /** The sent fraction of the file, 0 to 1. */
  part: number
  error?: string
  /** A document with the same file. The user decides whether to upload the file again. */
  same?: SameFile
  /** SHA-256 digest of the content; undefined until it is calculated. */
  hash?: string
}

const AT_ONCE = 2
let nextKey = 1

/**
 * Returns the state of the upload dialog and functions to change it: the selected files with their progress and errors. `send`
 * uploads the files. An upload continues when the user opens another page of the app, and ends with the session. While it runs,
 * the browser asks for a confirmation before the page is reloaded or closed.
 */
export function useUploadQueue({ id: projectId, process_automatically }: Project) {
  const { max_upload_bytes } = useSite()
  // An upload outlives the render that started it, so it reads the list from a ref.
  const latest = useRef<readonly QueuedFile[]>([])
  const [files, setFiles] = useState<readonly QueuedFile[]>([])
  const [busy, setBusy] = useState(false)
  const [chosen, setProcessed] = useState<boolean>()
  const isProcessed = chosen ?? process_automatically
  const [ended, setEnded] = useState(false)
  const [continuesAt, setContinuesAt] = useState<Date | null>(null)
  const abort = useRef<AbortController>(undefined)

  const change = (next: (now: readonly QueuedFile[]) => readonly QueuedFile[]) => {
    latest.current = next(latest.current)
    setFiles(latest.current)
  }
  const update = (key: number, patch: Partial<QueuedFile>) =>
    change((now) => now.map((entry) => (entry.key === key ? { ...entry, ...patch } : entry)))

  const add = (chosen: Iterable<File>) => {
    const entries = [...chosen].map((file): QueuedFile => {
      const error = refusal(file, max_upload_bytes)
      return {
        key: nextKey++,
        documentId: newId(),
        file,
        part: 0,
        state: error ? 'refused' : 'waiting',
        ...(error ? { error } : {}),
      }
    })
    change((now) => [...now, ...entries])
    setEnded(false)
    void hint(entries.filter((entry) => entry.state === 'waiting'))
  }

  /**
   * Finds documents that have the same files. Reads one file at a time, because the digest is calculated from the whole file in
   * memory.
   */
  const hint = async (entries: readonly QueuedFile[]) => {
    for (const { key, file } of entries) {
      const hash = await digestOf(file)
      if (!hash) continue
      update(key, { hash })
      const same = await findSameFile(hash)
      if (same) update(key, { same })
    }
  }

  /**
   * Uploads the waiting and failed files, also those that are added meanwhile, or only the file with the key `only`. Returns
   * true if all files of the list are uploaded.
   */
  const send = async (only?: number): Promise<boolean> => {
    const isChosen = ({ key }: QueuedFile) => only === undefined || key === only
    for (const entry of latest.current.filter(isChosen))
      if (entry.state === 'failed') update(entry.key, { state: 'waiting', error: undefined })
    const next = () => latest.current.find((entry) => isChosen(entry) && entry.state === 'waiting')
    if (!next()) {
      toast({ title: 'No file selected', description: 'Please select one or more files to upload', destructive: true })
      return false
    }
    const uploadId = isProcessed ? batchFor(projectId) : undefined
    const control = (abort.current = new AbortController())
    const { signal } = control
    // Otherwise the next user who signs in here would upload the rest of the files.
    const unfollow = onSessionEnd(() => control.abort())
    const release = guardPage()
    setBusy(true)
    setEnded(false)
    const failures: string[] = []
    /** The wait of all workers, while the server accepts no more files. */
    let waiting: Promise<void> | undefined
    const wait = async (seconds: number) => {
      const end = new Date(Date.now() + seconds * 1000)
      setContinuesAt(end)
      toast({ title: 'The upload waits', description: waitText(end), yields: failures.length > 0 })
      await elapse(seconds * 1000, signal)
      setContinuesAt(null)
      waiting = undefined
    }
    const worker = async () => {
      for (let entry = next(); entry && !signal.aborted; entry = next()) {
        const { key, documentId, file } = entry
        update(key, { state: 'sending', part: 0 })
        try {
          await uploadDocument(projectId, file, {
            documentId,
            uploadId,
            signal,
            onProgress: (part) => update(key, { part }),
          })
          if (uploadId !== undefined) showBatch(projectId, uploadId)
          update(key, { state: 'done', part: 1 })
          // Must not replace a toast with failures.
          const yields = failures.length > 0
          toast({ title: 'Success', description: `${file.name} uploaded successfully`, yields })
        } catch (error) {
          const seconds = waitOf(error)
          if (signal.aborted || seconds !== undefined) update(key, { state: 'waiting', part: 0 })
          else {
            const isChanged = isUnreachable(error) && !(await isReadable(file))
            const message = isChanged ? FILE_CHANGED : messageOf(error)
            update(key, { state: isChanged || isFinal(error) ? 'refused' : 'failed', part: 0, error: message })
            failures.push(`Failed to upload ${file.name}: ${message}`)
            // Lists the earlier failures too, because this toast replaces theirs.
            toast({ title: 'Error', description: listFailures(failures), destructive: true })
          }
          if (seconds !== undefined) waiting ??= wait(seconds)
        }
        await waiting
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    release()
    unfollow()
    setBusy(false)
    setEnded(true)
    const counts = countsOf(latest.current)
    if (only === undefined && latest.current.length > 1) toast(uploadNotice(counts, allFailures(latest.current)))
    return counts.refused + counts.failed + counts.waiting === 0
  }

  return {
    files,
    busy,
    /** True if the server processes the files after the upload. The default is the setting of the project. */
    isProcessed,
    setProcessed,
    /** True if the upload has ended and its result is shown. */
    ended,
    /** The time at which the upload continues, while the server accepts no more files; otherwise null. */
    continuesAt,
    add,
    send,
    remove: (key: number) => change((now) => now.filter((entry) => entry.key !== key)),
    stop: () => abort.current?.abort(),
    clear: () => {
      change(() => [])
      setProcessed(undefined)
      setEnded(false)
    },
  }
}

/** Returns the text that explains a waiting upload: the server accepts no more files until the time `end`. */
export const waitText = (end: Date): string =>
  `The server has received many files in a short time. The upload continues by itself at ${timeOfDay(end.toISOString())}.`

/**
 * Returns the seconds after which the server accepts the file, if it has refused it only because of the number of files in a
 * time; otherwise undefined.
 */
const waitOf = (error: unknown): number | undefined =>
  error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined

/** Resolves after `ms`, or when the signal is aborted. */
const elapse = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/** Returns the number of files in each state. */
export function countsOf(files: readonly QueuedFile[]): UploadCounts {
  const count = (...states: QueuedFile['state'][]) => files.filter(({ state }) => states.includes(state)).length
  return {
    uploaded: count('done'),
    refused: count('refused'),
    failed: count('failed'),
    waiting: count('waiting', 'sending'),
  }
}

/**
 * Returns a file of `files` that has the same content as the given file and was selected earlier. Returns undefined if there is
 * none, or if the digest of the given file is not known.
 */
export const twinOf = ({ key, hash }: QueuedFile, files: readonly QueuedFile[]): QueuedFile | undefined =>
  hash === undefined ? undefined : files.find((other) => other.hash === hash && other.key < key)

const allFailures = (files: readonly QueuedFile[]) =>
  files.flatMap(({ file, error }) => (error ? [`Failed to upload ${file.name}: ${error}`] : []))

const FILE_CHANGED = 'This file was changed, moved or deleted after you chose it. Choose it again.'

const isUnreachable = (error: unknown) => error instanceof ApiError && error.status === 0

/**
 * Returns whether the browser can still read a selected file. A request with a file that changed fails like a lost connection.
 */
const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

/** Returns true if the server would refuse the file at every retry, because of its size or type. */
const isFinal = (error: unknown) => error instanceof ApiError && (error.status === 413 || error.status === 415)

function refusal(file: File, maxBytes: number): string | null {
  if (!/\.pdf$/i.test(file.name)) return NOT_A_PDF
  if (file.size === 0) return 'This file is empty.'
  return file.size > maxBytes ? `Too large. A file may have up to ${Math.floor(maxBytes / 1_048_576)} MB.` : null
}
