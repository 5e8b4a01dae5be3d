import { useRef, useState } from 'react'
import type { SameFile } from '#shared/documents.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { uploadDocument } from './queries.ts'
import { digestOf, findSameFile } from './same-file.ts'

export interface QueuedFile {
  key: number
  file: File
  state: 'waiting' | 'sending' | 'done' | 'refused' | 'failed'
  /** 0..1 of what has left the browser. */
  part: number
  error?: string
  /** A document that has the same file already. Whether to add it once more is the person's choice. */
  same?: SameFile
  /** What its content is known by, once it is read. */
  hash?: string
}

const AT_ONCE = 2
let nextKey = 1

/** The files of one upload dialog: which are chosen, how far each is, what went wrong. */
export function useUploadQueue(projectId: string) {
  const { max_upload_bytes } = useSite()
  const [files, setFiles] = useState<QueuedFile[]>([])
  const [busy, setBusy] = useState(false)
  const abort = useRef<AbortController>(undefined)

  const update = (key: number, patch: Partial<QueuedFile>) =>
    setFiles((now) => now.map((entry) => (entry.key === key ? { ...entry, ...patch } : entry)))

  const add = (chosen: Iterable<File>) => {
    const entries = [...chosen].map((file): QueuedFile => {
      const error = refusal(file, max_upload_bytes)
      return { key: nextKey++, file, part: 0, state: error ? 'refused' : 'waiting', ...(error ? { error } : {}) }
    })
    setFiles((now) => [...now, ...entries])
    void hint(entries.filter((entry) => entry.state === 'waiting'))
  }

  /** One file after the other, because each is read whole for its digest. */
  const hint = async (entries: readonly QueuedFile[]) => {
    for (const { key, file } of entries) {
      const hash = await digestOf(file)
      if (!hash) continue
      update(key, { hash })
      const same = await findSameFile(hash)
      if (same) update(key, { same })
    }
  }

  /** Sends what waits; true when every file of this run arrived. */
  const send = async (only?: number): Promise<boolean> => {
    const waiting = files.filter(
      ({ key, state }) => (state === 'waiting' || state === 'failed') && (only === undefined || key === only),
    )
    if (waiting.length === 0) {
      toast({ title: 'No file selected', description: 'Please select one or more files to upload', destructive: true })
      return false
    }
    const { signal } = (abort.current = new AbortController())
    setBusy(true)
    let failures = 0
    const queue = [...waiting]
    const worker = async () => {
      for (let entry = queue.shift(); entry && !signal.aborted; entry = queue.shift()) {
        const { key, file } = entry
        update(key, { state: 'sending', part: 0, error: undefined })
        try {
          await uploadDocument(projectId, file, { signal, onProgress: (part) => update(key, { part }) })
          update(key, { state: 'done', part: 1 })
          toast({ title: 'Success', description: `${file.name} uploaded successfully` })
        } catch (error) {
          failures += 1
          if (signal.aborted) update(key, { state: 'waiting', part: 0 })
          else fail(key, file, error)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    setBusy(false)
    return failures === 0 && !signal.aborted
  }

  const fail = (key: number, file: File, error: unknown) => {
    const message =
      error instanceof ApiError && error.status === 401 ? 'You must be logged in to upload documents' : messageOf(error)
    // The same file is refused again: only what may pass is offered once more.
    const final = error instanceof ApiError && (error.status === 413 || error.status === 415)
    update(key, { state: final ? 'refused' : 'failed', part: 0, error: message })
    toast({ title: 'Error', description: `Failed to upload ${file.name}: ${message}`, destructive: true })
  }

  return {
    files,
    busy,
    add,
    send,
    remove: (key: number) => setFiles((now) => now.filter((entry) => entry.key !== key)),
    stop: () => abort.current?.abort(),
    clear: () => setFiles([]),
  }
}

/** The file chosen before this one that has the same content. */
export const twinOf = ({ key, hash }: QueuedFile, files: readonly QueuedFile[]): QueuedFile | undefined =>
  hash === undefined ? undefined : files.find((other) => other.hash === hash && other.key < key)

function refusal(file: File, maxBytes: number): string | null {
  if (!/\.pdf$/i.test(file.name)) return 'Not a PDF. Only .pdf files are accepted.'
  if (file.size === 0) return 'This file is empty.'
  return file.size > maxBytes ? `Too large. A file may have up to ${Math.floor(maxBytes / 1_048_576)} MB.` : null
}
