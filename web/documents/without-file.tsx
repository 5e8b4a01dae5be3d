import { useQueryClient } from '@tanstack/react-query'
import { FileX2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { NOT_A_PDF } from '#shared/contract/document-files.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { documentQuery } from '#web/lib/document-queries.ts'
import { finished, JobCancelled, startJob } from '#web/lib/jobs.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './document.module.css'
import { statusReason } from './document-failure.ts'
import { doiAddress } from './doi.ts'
import { attachFile } from './queries.ts'
import { readsAbstract } from './reads-abstract.ts'

/** Shown for a document without a PDF: the reason, and buttons to search for a PDF or to upload one. */
export function WithoutFile({ document, jobs }: { document: DocumentDetail; jobs: readonly Job[] }) {
  const client = useQueryClient()
  const mayEdit = useMay('edit')
  const input = useRef<HTMLInputElement>(null)
  const [part, setPart] = useState<number | null>(null)
  const [starting, setStarting] = useState(false)
  const looking = starting || jobs.some((job) => job.kind === 'fetch')
  const page = document.link ?? (document.doi_link ? doiAddress(document.doi_link) : null)

  const send = async (file: File) => {
    if (!/\.pdf$/i.test(file.name)) return toast({ title: 'Error', description: NOT_A_PDF, destructive: true })
    setPart(0)
    try {
      await attachFile(document.id, file, setPart)
      toast({ title: 'Success', description: 'The PDF was added to this document.' })
    } catch (error) {
      toast({ title: 'Error uploading file', description: messageOf(error), destructive: true })
    } finally {
      setPart(null)
    }
  }
  const look = async () => {
    setStarting(true)
    try {
      await finished(await startJob(client, api.documentFetchFile(document.id), {}))
    } catch (error) {
      if (!(error instanceof JobCancelled))
        toast({ title: 'No PDF could be fetched', description: messageOf(error), destructive: true })
    } finally {
      setStarting(false)
      await client.invalidateQueries({ queryKey: documentQuery(document.id).queryKey })
    }
  }
  return (
    <section className={styles.withoutFile} aria-labelledby="no-file">
      <FileX2 aria-hidden />
      <div className="min-w-0">
        <h2 id="no-file">This paper has no PDF yet</h2>
        <p>
          {looking
            ? 'The server is searching for its open-access PDF.'
            : (statusReason(document) ?? 'Only its metadata is available.')}{' '}
          With a PDF, you can extract and analyze its text and ask questions about it.
          {readsAbstract(document)
            ? document.analyzed_at
              ? ' The analysis below read only the title and the abstract.'
              : ' Without it, an analysis reads only the title and the abstract.'
            : null}
        </p>
        <div className="mt-3.5 flex flex-wrap items-center gap-x-3 gap-y-2">
          {mayEdit ? (
            <Button variant="primary" disabled={part !== null} onClick={() => input.current?.click()}>
              {part === null ? 'Upload PDF' : `Uploading... ${Math.round(part * 100)}%`}
            </Button>
          ) : null}
          {mayEdit && document.doi_link ? (
            <Button disabled={looking} onClick={() => void look()}>
              {looking ? 'Searching...' : 'Find open-access PDF'}
            </Button>
          ) : null}
          {page ? (
            <a className="text-link" href={page} target="_blank" rel="noreferrer">
              Open the paper’s page
            </a>
          ) : null}
        </div>
        {mayEdit ? (
          <input
            ref={input}
            type="file"
            accept=".pdf,application/pdf"
            className="sr-only"
            tabIndex={-1}
            aria-label="PDF file"
            onChange={({ target }) => {
              const file = target.files?.[0]
              target.value = ''
              if (file) void send(file)
            }}
          />
        ) : null}
      </div>
    </section>
  )
}
