import { useEffect, useRef, useState } from 'react'
import { EXPORT_FORMATS, exportFormat, type ExportFormat, LATEX_FORMATS } from '#shared/contract/exports.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { fileSize } from '#web/lib/file-size.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Choice, Choices } from '#web/ui/choice.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { type ExportRequest, fetchExport } from './queries.ts'

const FORMATS: Record<ExportFormat, readonly [title: string, about: string]> = {
  bibtex: ['BibTeX', 'For LaTeX, JabRef and most reference managers.'],
  biblatex: ['BibLaTeX', 'For LaTeX with biblatex: whole dates and more types.'],
  ris: ['RIS', 'For EndNote, Zotero, Mendeley and tools for reviews.'],
  'csl-json': ['CSL-JSON', 'For Pandoc, Zotero and citation processors.'],
  'endnote-xml': ['EndNote XML', 'For EndNote.'],
  nbib: ['PubMed nbib', 'Only papers with a PMID.'],
  csv: ['CSV', 'For spreadsheets.'],
  pdfs: ['PDFs', 'A ZIP file of the PDFs, with a BibTeX file that names them.'],
}
const LACKING: Partial<Record<ExportFormat, string>> = { nbib: 'a PMID', pdfs: 'a PDF' }
const STORED = 'lectern.export-format'

/** Asks for the format of an export and saves the file. `request` selects the papers. */
export function ExportDialog({
  request,
  count,
  onClose,
}: {
  request: Pick<ExportRequest, 'project_id' | 'ids' | 'filter'>
  /** Number of papers in the export. */
  count: number
  onClose: () => void
}) {
  const [format, setFormat] = useState<ExportFormat>(lastFormat)
  const [latex, setLatex] = useState(false)
  /** Received bytes; undefined before the export starts. */
  const [received, setReceived] = useState<number>()
  const control = useRef<AbortController>(undefined)
  useEffect(() => () => control.current?.abort(), [])
  const isRunning = received !== undefined
  const hasLatex = LATEX_FORMATS.includes(format)
  const start = async () => {
    control.current = new AbortController()
    const { signal } = control.current
    setReceived(0)
    try {
      const file = await fetchExport(
        { ...request, format, options: { latex: latex && hasLatex } },
        { signal, onBytes: setReceived },
      )
      saveFile(file.blob, file.name)
      localStorage.setItem(STORED, format)
      const left = `${counted(file.leftOut, 'paper')} without ${LACKING[format]} left out`
      toast({ title: `${counted(file.count, 'paper')} exported`, ...(file.leftOut > 0 ? { description: left } : {}) })
      onClose()
    } catch (error) {
      setReceived(undefined)
      if (!signal.aborted) toast({ title: 'Error exporting', description: messageOf(error), destructive: true })
    }
  }
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Export" about={counted(count, 'paper')}>
      <div className="mt-4.5 grid gap-4">
        <Choices
          label="Format"
          value={format}
          onChange={(value) => setFormat(exportFormat.parse(value))}
          disabled={isRunning}
        >
          {EXPORT_FORMATS.map((value) => (
            <Choice key={value} value={value} title={FORMATS[value][0]}>
              {FORMATS[value][1]}
            </Choice>
          ))}
        </Choices>
        {hasLatex ? (
          <div className="flex items-start gap-2">
            <Checkbox id="export-latex" checked={latex} onChange={setLatex} disabled={isRunning} />
            <label htmlFor="export-latex">
              Write non-ASCII as LaTeX
              <span className="text-meta text-muted-foreground mt-1.5 block">
                For example {'{\\"u}'} for ü. Older programs need it.
              </span>
            </label>
          </div>
        ) : null}
      </div>
      <DialogActions>
        <span role="status" className="text-meta text-muted-foreground mr-auto self-center">
          {received ? `${fileSize(received)} received` : null}
        </span>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" disabled={isRunning} onClick={() => void start()}>
          {isRunning ? 'Exporting...' : `Export ${counted(count, 'paper')}`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const lastFormat = (): ExportFormat => exportFormat.catch('bibtex').parse(localStorage.getItem(STORED))
